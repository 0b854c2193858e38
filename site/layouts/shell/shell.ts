import { suggestFor } from '#site/search/suggestions.ts';
import { showRelativeTimes } from './relative-times.ts';
import './tooltips.ts';

showRelativeTimes();

const menu = document.getElementById('site-menu');
const toggle = document.querySelector('[popovertarget="site-menu"]');
const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)');

menu?.addEventListener('toggle', () => {
  toggle?.setAttribute('aria-expanded', String(menu.matches(':popover-open')));
});

// Links to the current page scroll smoothly to the top.
document.addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('header a') : null;
  if (link === null || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  if (menu?.matches(':popover-open')) menu.hidePopover();
  if (link.pathname !== location.pathname || location.search !== '') return;
  event.preventDefault();
  scrollTo({ top: 0, behavior: reducedMotion.matches ? 'auto' : 'smooth' });
});

// The URL may name a tab, or have the secret of a mailed link.
document.querySelector('.skip-link')?.addEventListener('click', (event) => {
  event.preventDefault();
  document.getElementById('main')?.focus();
});

// A search box suggests titles once somebody is about to type.
const suggestIn = (element: EventTarget | null) => {
  if (element instanceof HTMLInputElement && element.dataset.suggestions !== undefined) suggestFor(element);
};
document.addEventListener('focusin', (event) => suggestIn(event.target));
suggestIn(document.activeElement);

const themeKey = 'theme';
const root = document.documentElement;

function applyTheme(theme: string): void {
  if (theme === '') delete root.dataset.theme;
  else root.dataset.theme = theme;
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    meta.dataset.media ??= meta.media;
    meta.media = theme === '' ? meta.dataset.media : meta.dataset.media.includes(theme) ? '' : 'not all';
  }
  // Charts redraw themselves.
  document.dispatchEvent(new Event('themechange'));
}

const themeSelect = document.querySelector<HTMLSelectElement>('[data-theme-switch]');
if (themeSelect !== null) {
  themeSelect.value = root.dataset.theme ?? '';
  applyTheme(themeSelect.value);
  themeSelect.addEventListener('change', () => {
    applyTheme(themeSelect.value);
    try {
      if (themeSelect.value === '') localStorage.removeItem(themeKey);
      else localStorage.setItem(themeKey, themeSelect.value);
    } catch {
      // Storage is blocked: the choice lasts for this page.
    }
  });
}

matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () =>
  document.dispatchEvent(new Event('themechange')),
);

// The theme was changed in another tab.
addEventListener('storage', (event) => {
  if (event.key !== themeKey || themeSelect === null) return;
  themeSelect.value = event.newValue === 'light' || event.newValue === 'dark' ? event.newValue : '';
  applyTheme(themeSelect.value);
});
