import type { OperatorPermission } from '#contract/vocabulary.ts';
import type { AdminPageName } from '#texts/admin-pages.ts';

/** Pages that are not for every operator. */
const permissions: Partial<Record<AdminPageName, OperatorPermission>> = {
  moderation: 'moderator',
  imports: 'editor',
  content: 'editor',
};

/** What the operator needs to open an admin page. */
export const pagePermission = (page: AdminPageName): OperatorPermission => permissions[page] ?? 'operator';
