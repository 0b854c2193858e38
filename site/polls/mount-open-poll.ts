import { mountReact } from '#site/client/mount-react.ts';
import OpenPoll from './OpenPoll.island.tsx';

/** Replaces the pre-rendered page of an open poll. */
export const mount = (root: HTMLElement) => mountReact(root, OpenPoll);
