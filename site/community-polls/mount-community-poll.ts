import { mountReact } from '#site/client/mount-react.ts';
import CommunityPoll from './CommunityPoll.island.tsx';

/** Replaces the pre-rendered poll on its page. */
export const mount = (root: HTMLElement) => mountReact(root, CommunityPoll);
