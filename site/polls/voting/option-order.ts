import { pinnedBy } from '#domain/pinned-options.ts';
import type { AnyPoll } from './ballot.ts';

/**
 * Runs below ballots before they are painted, so that nothing moves: shows the options of polls with a random order in this
 * browser’s own, which stays. Defines for {@link inBrowserOrder} the places of a number of options, of which some are pinned
 * at the end; null where the browser stores nothing, since the next visit would have another order. What has `data-fixed` comes before
 * them, and what has `data-last` after them. A string, because the
 * content security policy contains its hash (astro.config.mjs).
 */
export const orderOptions = `{
let seed;try{seed=localStorage.getItem('weathervane-order')||String(Math.random()).slice(2);localStorage.setItem('weathervane-order',seed)}catch{seed=null}
window.optionPlaces=(id,count,pinned)=>{
if(!seed)return null;
const places=[...Array(count).keys()];let state=2166136261;
for(const char of seed+id)state=Math.imul(state^char.codePointAt(),16777619);
for(let last=count-pinned;last-->1;){
state=state+0x6d2b79f5|0;let mixed=Math.imul(state^state>>>15,state|1);mixed^=mixed+Math.imul(mixed^mixed>>>7,mixed|61);
const other=((mixed^mixed>>>14)>>>0)%(last+1);
[places[last],places[other]]=[places[other],places[last]]}
return places};
for(const list of document.querySelectorAll('[data-order]')){
const last=list.querySelector('[data-last]'),items=[...list.children].filter(item=>item!==last&&!item.dataset.fixed);
optionPlaces(list.dataset.order,items.length,+list.dataset.pinned)?.forEach(place=>list.insertBefore(items[place],last))}
}`;

declare global {
  interface Window {
    optionPlaces?: (pollId: string, count: number, pinned: number) => readonly number[] | null;
  }
}

type Ordered = Pick<AnyPoll, 'id' | 'optionOrder'>;

/** What the script above reads of the element with the options; nothing where their order is the same for everyone. */
export function orderedBy({ id, optionOrder }: Ordered): { 'data-order'?: string; 'data-pinned'?: number } {
  const pinned = pinnedBy(optionOrder);
  return pinned === null ? {} : { 'data-order': id, 'data-pinned': pinned };
}

/** The places of this many options in this browser; null for the published order. */
function placesOf({ id, optionOrder }: Ordered, count: number): readonly number[] | null {
  const pinned = pinnedBy(optionOrder);
  return pinned === null || typeof window === 'undefined' ? null : (window.optionPlaces?.(id, count, pinned) ?? null);
}

/** The offered options as this browser shows them. */
export function inBrowserOrder<T>(poll: Ordered, options: readonly T[]): readonly T[] {
  return placesOf(poll, options.length)?.map((place) => options[place]!) ?? options;
}

/** Whether this browser shows another order than the published one. */
export const isVaried = (poll: Ordered): boolean => placesOf(poll, 1) !== null;
