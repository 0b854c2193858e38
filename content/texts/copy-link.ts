/** Words around a link that can be copied. */
export const copyLinkTexts = {
  copy: 'Copy Link',
  copied: 'Link Copied!',
  copiedToast: { title: 'Link Copied!', text: 'The link to this poll is on your clipboard.' },
  failedToast: { title: 'Copy Failed', text: 'Could not copy link to clipboard. Please copy manually.' },
} as const;
