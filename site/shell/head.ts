import { accountHintCookie } from '#contract/vocabulary.ts';

/**
 * Runs in the head before anything is painted: a remembered theme is applied without a flash, and a member does not see
 * "Sign In" before the menu is there. Kept as text, because the content security policy names its digest
 * (astro.config.mjs).
 */
export const headScript = `{const d=document.documentElement.dataset;try{const t=localStorage.getItem('theme');if(t==='light'||t==='dark')d.theme=t}catch{}if(/\\b${accountHintCookie}=1/.test(document.cookie))d.member=''}`;

/**
 * The order of the cascade layers, said before any style sheet: the build decides which sheet comes first on a page,
 * and the first mention of a layer would decide its place.
 */
export const layerOrder = '@layer reset,tokens,base,components,utilities;';
