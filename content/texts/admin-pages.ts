/** The admin pages in the order of their navigation. */
export const adminPages = {
  today: { path: '/admin', link: 'Today', title: 'Today' },
  polls: { path: '/admin/polls', link: 'Polls', title: 'Polls' },
  imports: { path: '/admin/imports', link: 'Imports', title: 'Imports' },
  moderation: { path: '/admin/moderation', link: 'Moderation', title: 'Moderation' },
  content: { path: '/admin/content', link: 'Content', title: 'Content' },
  health: { path: '/admin/health', link: 'Health', title: 'Health' },
  settings: { path: '/admin/settings', link: 'Settings', title: 'Settings' },
} as const;

export type AdminPageName = keyof typeof adminPages;

/** The time zone of the site. */
export const zoneTexts = {
  heading: 'Time zone',
  text: (zone: string) =>
    `The site is in ${zone}: its pages, the times that you enter, and dates without an offset in imports. Visitors see times in their own zone where a script shows them.`,
  setting:
    'The setting TIME_ZONE changes it, and WEEKLY_SLOTS when new polls open; restart the services after a change.',
  shown: (zone: string) => `Times in ${zone}`,
  change: 'Change',
} as const;

/** The summary of the errors of a form. */
export const problemSummaryTexts = {
  fields: (count: number) => (count === 1 ? 'Please check this field:' : `Please check these ${count} fields:`),
} as const;

/** Whether the site works. */
export const healthTexts = {
  backups: {
    heading: 'Backups',
    text: 'Votes can’t be collected again. A test makes a real backup, restores it in a temporary place, and compares.',
    doctor: 'On the server, npm run doctor checks everything else: settings, database, disk, pages, and the vote log.',
  },
} as const;
