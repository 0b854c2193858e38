/** Share buttons, embed code, and the downloads of a report. */
export const shareTexts = {
  share: 'Share',
  linkCopied: { title: 'Link Copied!' },
  linkFailed: { title: 'Copy Failed', text: 'Could not copy link to clipboard. Please copy manually.' },
  copied: { title: 'Copied!' },
  copyFailed: { title: 'Copy Failed', text: 'Could not copy to clipboard. Please copy manually.' },
  embed: {
    heading: 'Embed this poll',
    label: 'HTML for your own page',
    note: 'It shows the question, and the results once the poll closes. It sets no cookies.',
    copy: 'Copy HTML',
    title: (question: string) => `Poll: ${question}`,
  },
  take: {
    heading: 'Open Results',
    lede: 'Anyone may check, quote, and reuse these figures, as long as they name this site, link to this report, and include the sentence “The voters chose themselves.”',
    cite: 'Cite this',
    copyCitation: 'Copy Citation',
    csv: 'CSV for spreadsheets',
    json: 'JSON for programs',
    download: 'Download',
  },
} as const;
