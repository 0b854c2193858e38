import { accountScenes } from './account-scenes.ts';
import { adminScenes } from './admin-scenes.ts';
import { articleScenes, apiDownScenes, printScenes } from './article-scenes.ts';
import { communityListScenes } from './community-list-scenes.ts';
import { communityPollScenes } from './community-poll-scenes.ts';
import { contentScenes } from './content-scenes.ts';
import { deskScenes, operatorScenes } from './desk-scenes.ts';
import { discussionScenes } from './discussion-scenes.ts';
import { pollScenes } from './poll-scenes.ts';
import { profileScenes } from './profile-scenes.ts';
import { verificationScenes } from './verification-scenes.ts';
import type { Scene } from './scene.ts';

/** Every picture of the gallery. */
export const scenes: readonly Scene[] = [
  ...pollScenes,
  ...communityListScenes,
  ...communityPollScenes,
  ...discussionScenes,
  ...accountScenes,
  ...profileScenes,
  ...verificationScenes,
  ...articleScenes,
  ...printScenes,
  ...apiDownScenes,
  // The operator’s actions change what other scenes show, so these come last.
  ...deskScenes,
  ...contentScenes,
  ...adminScenes,
  ...operatorScenes,
];
