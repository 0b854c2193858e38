const list = (names: readonly string[]) => names.map((name) => `  ${name}`).join('\n');

/** Help of the attack commands. */
export const attackTexts = {
  attack: (names: readonly string[]) =>
    `npm run attack [-- WORD|adaptive]   simulates automated voting

“adaptive” searches for the recipes that gain most for an attacker who knows the thresholds of the code, and tries the small
ones.

Runs each attack (or those whose name contains WORD) on a new database and prints how many votes were recorded and counted:
${list(names)}`,
  noAttack: (word: string, names: readonly string[]) => `No attack has “${word}” in its name:\n${list(names)}`,
  browsers: `npm run attack:browsers [-- VOTES]   votes with headless browsers

Casts VOTES votes (5) with a new browser profile each, on a new site with default limits, first without challenges, then with
them. Prints seconds per vote. Needs Chromium.`,
  detector: `npm run attack:detector [-- DAYS [SEED]]   measures the detector

Generates DAYS days (600) of votes from SEED (1), attacks every second one, and prints how many attacks are found and how many
honest votes are held.`,
};
