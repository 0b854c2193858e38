/**
 * Runs below the cards of the home page before they are painted, so that nothing moves: puts the polls without a receipt in
 * this browser first, folds the others, says how many they are, and adds this browser’s guess to the latest result. A string,
 * because the content security policy contains its hash (astro.config.mjs).
 */
export const sortCards = `{
const parsed=read=>{try{return JSON.parse(read())}catch{}};
const find=q=>document.querySelector(q);
const voted=new Set([parsed(()=>localStorage.getItem('weathervane-receipts'))||[]].flat().map(e=>e?.receipt&&'card-'+e.poll));
const slots=[...document.querySelectorAll('[data-slot]')];
const [answered,open]=[true,false].map(is=>slots.map(s=>s.firstElementChild).filter(c=>voted.has(c.id)===is));
const progress=find('[data-progress]');
if(answered.length&&progress){
[...open,...answered].forEach((card,i)=>{slots[i].append(card);if(i&&i>=open.length)slots[i].dataset.folded=''});
progress.textContent=progress.dataset.progress.replace('#',answered.length);progress.hidden=false}
const latest=find('[data-guess]');
const made=latest&&[parsed(()=>localStorage.getItem('weathervane-guesses'))?.made||[]].flat().find(g=>g?.poll===latest.dataset.poll);
if(made){latest.textContent=latest.dataset.guess.replace('#',made.percent).replace('@',()=>made.option);latest.hidden=false}
}`;

/** Runs in the head: hides the cards of a browser with receipts until they are sorted. */
export const hideUnsorted = `try{if(localStorage.getItem('weathervane-receipts'))document.documentElement.dataset.voter=''}catch{}`;
