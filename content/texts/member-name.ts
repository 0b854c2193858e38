/** Marks beside a member’s name. Names can’t have these words: see `roles` in `api/domain/account-rules.ts`. */
export const memberMarkTexts = { creator: 'Creator', staff: 'Staff' } as const;
