const key = 'theme';
const root = document.documentElement;

function apply(theme: string): void {
  if (theme === '') delete root.dataset.theme;
  else root.dataset.theme = theme;
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    meta.dataset.media ??= meta.media;
    meta.media = theme === '' ? meta.dataset.media : meta.dataset.media.includes(theme) ? '' : 'not all';
  }
  // For pictures that a script draws.
  document.dispatchEvent(new Event('themechange'));
}

const select = document.querySelector<HTMLSelectElement>('[data-theme-switch]');
if (select !== null) {
  select.value = root.dataset.theme ?? '';
  apply(select.value);
  select.addEventListener('change', () => {
    apply(select.value);
    try {
      if (select.value === '') localStorage.removeItem(key);
      else localStorage.setItem(key, select.value);
    } catch {
      // A browser that forbids storage keeps the choice for this page.
    }
  });
}

matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () =>
  document.dispatchEvent(new Event('themechange')),
);

// Another tab changed it.
addEventListener('storage', (event) => {
  if (event.key !== key || select === null) return;
  select.value = event.newValue === 'light' || event.newValue === 'dark' ? event.newValue : '';
  apply(select.value);
});
