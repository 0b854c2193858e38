/** The window event that hydrates islands with `client:reader` (client-directives/reader.ts). */
export const readerEvent = 'reader:needed';
