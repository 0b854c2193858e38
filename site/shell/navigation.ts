const menu = document.getElementById('site-menu');
const toggle = document.querySelector('[popovertarget="site-menu"]');
const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)');

menu?.addEventListener('toggle', () => {
  toggle?.setAttribute('aria-expanded', String(menu.matches(':popover-open')));
});

// A link to the page itself goes up smoothly; every other navigation starts at the top anyway.
document.addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('header a') : null;
  if (link === null || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  if (menu?.matches(':popover-open')) menu.hidePopover();
  if (link.pathname !== location.pathname || location.search !== '') return;
  event.preventDefault();
  scrollTo({ top: 0, behavior: reducedMotion.matches ? 'auto' : 'smooth' });
});

export {};
