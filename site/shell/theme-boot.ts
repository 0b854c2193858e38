/**
 * Runs in the head before anything is painted: a remembered theme is applied without a flash. Kept as text,
 * because the content security policy names its digest (astro.config.mjs).
 */
export const themeBoot =
  "try{const t=localStorage.getItem('theme');if(t==='light'||t==='dark')document.documentElement.dataset.theme=t}catch{}";
