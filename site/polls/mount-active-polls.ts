import { mountReact } from '#site/client/mount-react.ts';
import ActivePolls from './ActivePolls.island.tsx';

/** Replaces the pre-rendered polls of the home page. */
export const mount = (root: HTMLElement) => mountReact(root, ActivePolls);
