/** Words of share buttons, of code to embed, and of what a report offers to take along. */
export const shareTexts = {
  share: 'Share',
  linkCopied: { title: 'Link Copied!' },
  linkFailed: { title: 'Copy Failed', text: 'Could not copy link to clipboard. Please copy manually.' },
  copied: { title: 'Copied!' },
  copyFailed: { title: 'Copy Failed', text: 'Could not copy to clipboard. Please copy manually.' },
  embed: {
    heading: 'Embed this poll',
    label: 'HTML for your own page',
    note: 'It shows the question, and the results once the poll is closed. It sets no cookies.',
    copy: 'Copy HTML',
    title: (question: string) => `Poll: ${question}`,
  },
  take: {
    heading: 'Open Results',
    lede: 'Anyone may check, quote, and reuse these figures, with the name of this site, a link to this report, and the sentence “The voters chose themselves.”',
    cite: 'Cite this',
    copyCitation: 'Copy Citation',
    csv: 'CSV for spreadsheets',
    json: 'JSON for programs',
    download: 'Download',
  },
} as const;
