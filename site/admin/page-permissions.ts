import type { OperatorPermission } from '#contract/vocabulary.ts';
import type { DeskPage } from '#texts/desk.ts';

/** Pages that are not for every operator. */
const permissions: Partial<Record<DeskPage, OperatorPermission>> = {
  moderation: 'moderator',
  imports: 'editor',
  content: 'editor',
};

/** What the operator needs to open a page of the desk. */
export const pagePermission = (page: DeskPage): OperatorPermission => permissions[page] ?? 'operator';
