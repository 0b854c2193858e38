/** The address of a picture in published pages. */
export const imageAddress = (name: string): string => `/images/${name}.webp`;
