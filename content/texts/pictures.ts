import * as limits from '#contract/limits.ts';

/** Pictures of members: uploading and removing them, on the account page and by the operator. */
export const pictureTexts = {
  hint: `JPEG, PNG, WebP, or GIF, up to ${limits.pictureBytes / 1_000_000} MB. We keep the square in the middle and remove details such as where it was taken.`,
  upload: 'Upload a picture…',
  replace: 'Replace picture…',
  uploading: 'Uploading your picture',
  remove: 'Remove picture',
  uploaded: { title: 'Picture saved', text: 'Others see it next to your comments.' },
  removed: { title: 'Picture removed', text: 'Others see your initials instead.' },
  failed: 'Picture not changed.',
  format: 'Please choose a JPEG, PNG, WebP, or GIF picture.',
  tooManyBytes: `This picture is larger than ${limits.pictureBytes / 1_000_000} MB. Please choose a smaller one.`,
  tooManyPixels: `This picture has more than ${limits.picturePixels / 1_000_000} million pixels. Please choose a smaller one.`,
  damaged: 'This picture can’t be read. Its file may be damaged; please choose another one.',
} as const;
