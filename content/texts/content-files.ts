/** Errors in an article or page of content/, for its author. Each starts with file and line. */
export const contentFileTexts = {
  at: (file: string, line: number | null, problem: string) =>
    line === null ? `${file}: ${problem}` : `${file}, line ${line}: ${problem}`,

  /** Who changed a text, in its history, if its file did. */
  fileActor: 'content files',

  noFrontMatter: 'the file must start with front matter between two lines of “---”.',
  frontMatter: (why: string) => `the front matter is not valid YAML: ${why}.`,
  frontMatterField: (field: string, why: string) => `front matter, ${field}: ${why}.`,
  frontMatterShape: 'the front matter must be a list of “field: value” lines.',
  fileName:
    'the file name becomes the article’s address, so it must consist of lowercase letters, digits, and single hyphens.',
  longName: (most: number) => `the file name becomes the article’s address, so it can have at most ${most} characters.`,
  reservedName: (slug: string) => `“${slug}” is a reserved address. Choose another name.`,
  updatedBeforePublished: 'front matter, updatedAt: must not be before publishedAt.',
  empty: 'there is no text after the front matter.',
  headingNeeded: (id: string) =>
    `the heading #${id} (“## …”) is missing, before which this page shows something else. Add it back.`,

  html: 'HTML is not allowed. Use Markdown instead.',
  image:
    'only pictures that were uploaded on the page “Content” can be shown, as ![What it shows](/images/….webp). Files in content/images have such addresses.',
  imageWithoutText: 'a picture needs a text for readers who can’t see it: ![What it shows](/images/….webp).',
  noSuchImage: (name: string) => `the picture /images/${name}.webp doesn’t exist. Upload it again.`,
  imageFile:
    'the name of a picture must be the hash of its content with width and height, as “npm run operate -- content pull” writes it.',
  heading: 'headings must be “##” or “###”.',
  headingWithoutText: 'a heading must contain letters or digits.',
  linkTarget: (url: string) =>
    `the link to “${url}” goes nowhere. Use a path on this site (/about), a full https address, or a heading on this page (#results).`,
  deadArticleLink: (url: string) =>
    `the link to “${url}” points to an article that doesn’t exist in content/blog or isn’t published.`,
  deadHeadingLink: (url: string) => `the link to “${url}” points to a heading that doesn’t exist on this page.`,
  noteWithoutText: (name: string) => `the note “${name}” has a reference but no text. Add “[^${name}]: …” at the end.`,
  noteUnused: (name: string) => `the note “${name}” is never referenced.`,

  chart: (why: string) => `the chart is not valid YAML: ${why}.`,
  chartShape: 'a chart must be a list of “field: value” lines.',
  chartType: 'a chart needs a type: bars, dots, or line.',
  chartField: (field: string, why: string) => `chart, ${field}: ${why}.`,
  chartOver100: 'chart: values over 100% can’t be drawn. Use another unit.',
  chartOrder: (name: string) => `chart, ${name}: each x must be greater than the previous one.`,
  chartNames: 'chart: two lines have the same name.',
  chartLabels: (label: string) => `chart: two rows have the label “${label}”.`,

  whatIsWrong: {
    required: 'is missing',
    blank: 'is blank',
    unknown: 'is not a known field',
  },
} as const;

/** Texts added to rendered Markdown: footnotes and charts. */
export const renderedTexts = {
  notes: 'Sources and notes',
  backToText: (number: number, again: number) =>
    again > 1 ? `Back to reference ${again} to note ${number}` : `Back to note ${number} in the text`,
  source: 'Source:',
  numbers: 'The numbers',
  label: 'Answer',
  value: (unit: string) => (unit === '%' ? 'Percent' : `${unit.charAt(0).toUpperCase()}${unit.slice(1)}`),
} as const;
