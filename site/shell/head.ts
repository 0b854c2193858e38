/**
 * Runs in the head before anything is painted: a remembered theme is applied without a flash. Kept as text,
 * because the content security policy names its digest (astro.config.mjs).
 */
export const themeBoot =
  "try{const t=localStorage.getItem('theme');if(t==='light'||t==='dark')document.documentElement.dataset.theme=t}catch{}";

/**
 * The order of the cascade layers, said before any style sheet: the build decides which sheet comes first on a page,
 * and the first mention of a layer would decide its place.
 */
export const layerOrder = '@layer reset,tokens,base,components,utilities;';
