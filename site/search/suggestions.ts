import type { SearchKind, SearchSuggestion } from '#api/search/search.contract.ts';

/** Milliseconds without typing after which suggestions are requested. */
const pauseMs = 120;

/** Lets a search box suggest titles during typing; if suggestions can’t be loaded, it stays an ordinary form. */
export function suggestFor(input: HTMLInputElement): void {
  const list = document.getElementById(`${input.id}-suggestions`);
  if (input.role === 'combobox' || list === null) return;
  const kinds = JSON.parse(list.dataset.kinds ?? '{}') as Record<SearchKind, string>;
  let shown: readonly SearchSuggestion[] = [];
  let active = -1;
  let timer: ReturnType<typeof setTimeout> | undefined;

  for (const [name, value] of Object.entries({
    role: 'combobox',
    'aria-autocomplete': 'list',
    'aria-expanded': 'false',
    'aria-controls': list.id,
  }))
    input.setAttribute(name, value);
  list.setAttribute('role', 'listbox');
  list.setAttribute('aria-label', list.dataset.label ?? '');

  const select = (index: number) => {
    active = index;
    [...list.children].forEach((item, n) => item.setAttribute('aria-selected', String(n === index)));
    const item = list.children[index];
    if (item === undefined) input.removeAttribute('aria-activedescendant');
    else input.setAttribute('aria-activedescendant', item.id);
    item?.scrollIntoView({ block: 'nearest' });
  };
  const show = (suggestions: readonly SearchSuggestion[]) => {
    shown = suggestions;
    list.replaceChildren(
      ...suggestions.map(({ kind, title }, n) => {
        const item = document.createElement('li');
        item.id = `${list.id}-${n}`;
        item.setAttribute('role', 'option');
        const texts = { suggestion__title: title, suggestion__kind: kinds[kind] };
        for (const [className, text] of Object.entries(texts)) {
          const part = document.createElement('span');
          part.className = className;
          part.textContent = text;
          part.dir = 'auto';
          item.append(part, ' ');
        }
        return item;
      }),
    );
    select(-1);
    list.hidden = suggestions.length === 0;
    input.setAttribute('aria-expanded', String(!list.hidden));
  };
  const load = async () => {
    const q = input.value.trim();
    const found: SearchSuggestion[] = [];
    if (q !== '') {
      const response = await fetch(`${input.dataset.suggestions}?${new URLSearchParams({ q })}`);
      if (response.ok) found.push(...((await response.json()) as SearchSuggestion[]));
    }
    // What was typed, or where the focus is, may have changed meanwhile.
    if (input.value.trim() === q && document.activeElement === input) show(found);
  };

  const update = () => {
    clearTimeout(timer);
    timer = setTimeout(() => void load().catch(() => show([])), pauseMs);
  };
  input.addEventListener('input', update);
  input.addEventListener('blur', () => show([]));
  input.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const chosen = shown[active];
    if (step !== undefined && shown.length > 0) {
      event.preventDefault();
      // The typed text comes before the first and after the last suggestion.
      const places = shown.length + 1;
      select(((active + 1 + step + places) % places) - 1);
    } else if (event.key === 'Enter' && chosen !== undefined) {
      event.preventDefault();
      location.assign(chosen.path);
    } else if (event.key === 'Escape' && !list.hidden) {
      // Only the list: another press clears the box, or closes its panel.
      event.preventDefault();
      show([]);
    }
  });
  // The box keeps the focus, so that the list stays until the click.
  list.addEventListener('pointerdown', (event) => event.preventDefault());
  list.addEventListener('click', (event) => {
    const item = event.target instanceof Element ? event.target.closest('li') : null;
    const suggestion = item === null ? undefined : shown[[...list.children].indexOf(item)];
    if (suggestion !== undefined) location.assign(suggestion.path);
  });
}
