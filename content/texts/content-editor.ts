import type { ContentEvent, ContentFolder, ContentState } from '#api/content/content.contract.ts';
import { versionTexts } from './admin.ts';
import { blogTexts } from './blog.ts';

/** Answers of the API about articles and pages, for the operator. */
export const contentApiTexts = {
  /** “front matter, title: is missing.” as a sentence for a form. */
  problem: (problem: string) => {
    const plain = problem
      .replace(/^front matter, ([\w.]+): /, (_, field: string) => `${contentFieldLabel(field)} `)
      .replace(' after the front matter', '');
    return plain.charAt(0).toUpperCase() + plain.slice(1);
  },
  savedMeanwhile: (by: string, at: string) =>
    `${by} saved this at ${at.slice(11, 16)} UTC on ${at.slice(0, 10)}, after you had opened it.`,
  /** The address of an article whose title has no letters for one. */
  unnamed: 'article',
  nameTaken: (name: string) => `There already is an article at /blog/${name}. Choose another address.`,
  nameJustTaken: 'There already is an article at this address. Choose another one.',
  addressFixed: 'The address stays, because readers may know it.',
  tooSoon: 'Choose a time that is at least a minute ahead.',
  pagesStay: 'About and the legal pages can be changed, but not removed.',
  notPublished: 'This article isn’t published.',
  noNewerFile: 'There is no newer file anymore. Reload the page.',
} as const;

const fieldLabels: Readonly<Record<string, string>> = {
  title: 'Title',
  excerpt: 'Summary',
  category: 'Category',
  author: 'Author',
  tags: 'Tags',
  featured: 'Featured',
  publishedAt: 'Date',
  updatedAt: 'Updated',
  description: 'Description',
  lede: 'Introduction',
  lastUpdated: 'Last updated',
  cards: 'Cards',
};

/** The label of a field of the front matter, such as “title” or “cards.2.text”; null: of the text. */
export function contentFieldLabel(field: string | null): string {
  if (field === null) return contentTexts.text;
  const [name = '', place, part] = field.split('.');
  if (name === 'cards' && part === 'title') return contentTexts.cardTitle(Number(place));
  if (name === 'cards' && part === 'text') return contentTexts.cardText(Number(place));
  return fieldLabels[name] ?? field;
}

/** The page “Content”: list and editor. */
export const contentTexts = {
  intro: 'Articles, About, and the legal pages. What you save is a draft until you publish it.',
  folders: { blog: 'Articles', pages: 'Pages', legal: 'Legal pages' } satisfies Record<ContentFolder, string>,
  about: {
    blog: 'On the page “Blog”, in feeds, and in search.',
    pages: 'What this site is, and how it counts.',
    legal: 'Have them checked, and mark them as reviewed. They can’t be removed.',
  } satisfies Record<ContentFolder, string>,
  newArticle: 'New article',
  noArticles: 'There are no articles yet.',
  states: {
    draft: 'Draft',
    scheduled: 'Scheduled',
    published: 'Published',
    unpublished: 'Unpublished',
  } satisfies Record<ContentState, string>,
  changed: 'Unpublished changes',
  newerFile: 'A newer file exists',
  deleted: 'Deleted here',
  saved: (by: string, at: string) => `Saved by ${by}, ${at}`,
  scheduledFor: (at: string) => `To be published ${at}`,
  unpublishable: (problem: string) => `Can’t be published: ${problem}`,
  reviewed: (by: string, at: string) => `Last reviewed by ${by}, ${at}`,
  notReviewed: 'Not reviewed yet',
  back: 'All articles and pages',
  missing: 'This article or page doesn’t exist anymore.',

  create: {
    title: 'New article',
    name: 'Address',
    nameHint: '/blog/… Lowercase letters, digits, and hyphens. It can’t be changed once the article is published.',
    nameEmpty: 'Empty: made from the title.',
    noTitle: 'Please enter a title.',
    confirm: 'Create draft',
    cancel: 'Cancel',
    done: { title: 'Draft Created', text: 'Readers see it when you publish it.' },
  },

  form: (title: string) => `Edit: ${title}`,
  labels: fieldLabels,
  hints: {
    excerpt: 'One or two sentences for lists, feeds, and search engines. Empty: the beginning of the text.',
    author: `Empty: ${blogTexts.house}.`,
    category: `One that other articles have, or a new one. Empty: ${blogTexts.otherCategory}.`,
    tags: 'Separated by commas.',
    publishedAt: 'Shown to readers, and decides the order. Empty: the day it is published.',
    updatedAt: 'Shown to readers if it is later than the date.',
    description: 'For search engines.',
    lastUpdated: 'Shown to readers.',
  } as Readonly<Record<string, string>>,
  featuredHint: 'Shown above the other articles',
  cardTitle: (number: number) => `Card ${number}: title`,
  cardText: (number: number) => `Card ${number}: text`,
  text: 'Text',
  textHint:
    'Markdown: ## Heading, **bold**, *italic*, [link](/about), - list, > quotation, [^1] for a note. {siteName}, {supportEmail}, and {publicUrl} are replaced on About and the legal pages, facts such as {votesPerMinute} everywhere.',
  preview: 'Preview',
  minutes: (minutes: number) => `${minutes} min read`,
  line: (line: number, message: string) => `Line ${line}: ${message}`,
  goToLine: 'Go to line',
  unknownNames: (names: readonly string[]) =>
    `Warning: ${names.map((name) => `{${name}}`).join(', ')} ${names.length === 1 ? 'stands' : 'stand'} for nothing on this site, and will be shown as written.`,

  saving: 'Saving…',
  savedNow: 'All changes are saved.',
  unsaved: 'Not saved yet.',
  saveFailed: (why: string) => `Not saved: ${why}`,
  merged: (name: string) => ({
    title: 'Changed by Someone Else, Too',
    text: `${name} changed other parts. Both changes are saved.`,
  }),
  kept: (title: string) => ({
    title: 'Changes Not Saved',
    text: `What you typed in “${title}” is saved in this tab. Open it again to save it.`,
    destructive: true,
  }),
  tryAgain: 'Try again',
  gone: {
    text: 'Someone deleted this article while you were writing. What you typed is still here.',
    make: 'Make a new draft of it',
    made: { title: 'Draft Created', text: 'It has the text you typed.' },
    kept: (title: string) => ({
      title: 'Changes Not Saved',
      text: `“${title}” was deleted. What you typed is saved in this tab: go back to make a new draft of it.`,
      destructive: true,
    }),
  },
  conflict: {
    before: (name: string, at: string) =>
      `Your unsaved changes from before are back, but ${name} changed the same parts on ${at}.`,
    changed: (name: string, at: string) => `${name} changed the same parts on ${at}.`,
    load: 'Use theirs',
    keep: 'Keep yours',
    copy: 'Your text stays here until you choose. The choice is only about what both of you changed.',
  },

  image: 'Insert picture…',
  imageTitle: 'Insert a picture',
  imageFile: 'Picture',
  imageFileHint: 'JPEG, PNG, WebP, or GIF. It is stored without details such as the place it was taken.',
  imageAlt: 'What does the picture show?',
  noImage: 'Please choose a picture.',
  imageAltHint: 'For readers who can’t see it.',
  noImageAlt: 'Please say what the picture shows.',
  imageInsert: 'Insert picture',
  imageDone: { title: 'Picture Inserted', text: 'It is in the text below the line of the cursor.' },
  chart: 'Insert chart…',
  chartTitle: 'Insert a chart of a poll',
  chartPoll: 'Address or id of the poll',
  chartHint: 'The numbers of now are inserted; the chart doesn’t change when more people vote.',
  chartInsert: 'Insert chart',
  chartDone: { title: 'Chart Inserted', text: 'It is in the text below the line of the cursor.' },
  chartWrong: 'Enter the address of a poll on this site, such as /poll/tea.',
  chartNoVotes: 'This poll has no votes yet.',
  chartSource: (question: string, votes: string, day: string) => `“${question}”, ${votes} votes, as of ${day}`,
  cancel: 'Cancel',

  /** Before a link to the field that must be changed first. */
  notYet: 'Can’t be published yet. See:',
  publish: 'Publish',
  publishChanges: 'Publish changes',
  published: (title: string) => ({ title: 'Published', text: `“${title}” is on the site within a second.` }),
  schedule: 'Schedule…',
  scheduleTitle: 'Publish at a time',
  scheduleAt: 'Date and time',
  noTime: 'Please enter a date and time.',
  scheduleHint: 'What is saved now is published then. To publish later changes, schedule it again.',
  scheduleConfirm: 'Schedule',
  scheduled: (at: string) => ({ title: 'Scheduled', text: `It will be published ${at}.` }),
  unschedule: 'Cancel schedule',
  unscheduled: { title: 'Schedule Canceled', text: 'It won’t be published by itself.' },
  unpublish: {
    open: 'Unpublish…',
    title: 'Take this article off the site?',
    text: 'Readers who open its address are told that it was removed (410). You can publish it again at any time.',
    confirm: 'Unpublish',
    cancel: 'Keep it',
    done: { title: 'Unpublished', text: 'The article leaves the site within a second.' },
  },
  remove: {
    open: 'Delete…',
    title: 'Delete this article?',
    text: 'Its text and its history are deleted for good. If it was ever published, its address answers that it was removed (410).',
    confirm: 'Delete it',
    cancel: 'Keep it',
    done: { title: 'Article Deleted', text: 'Its text and its history are gone.' },
  },
  review: 'Mark as reviewed',
  reviewHint: 'Confirm that this text is right for your site and your country’s law.',
  reviewDone: { title: 'Marked as Reviewed', text: 'The page “Content” shows when and by whom.' },
  view: 'View on the site',

  history: 'History',
  events: {
    file: 'Loaded from its file',
    created: 'Created',
    saved: 'Saved',
    restored: 'An earlier version was restored',
  } satisfies Record<ContentEvent, string>,
  version: (event: string, by: string, at: string) => `${event} by ${by}, ${at}`,
  publishedOn: (at: string) => `published ${at}`,
  compare: 'Compare with the text above',
  compareName: (when: string) => `Compare the version of ${when}`,
  restored: { title: versionTexts.restored, text: 'It is saved as a draft. Publish it when it is right.' },
  added: 'Added: ',
  removed: 'Removed: ',
  unchangedLines: (lines: number) => (lines === 1 ? '1 unchanged line' : `${lines} unchanged lines`),
  changes: 'What publishing would change',

  file: {
    title: 'A newer file exists',
    text: 'This text was edited here, and its file in content/ was changed, too. The text here stays until you decide. The differences, from the text here to the file:',
    use: 'Use the file',
    keep: 'Keep the text here',
    used: { title: 'File Used', text: 'Its text is saved as a draft. Publish it when it is right.' },
    kept: { title: 'Text Stays', text: 'The file is ignored until it changes again.' },
  },
} as const;
