/**
 * A poll that comes with the product, so that a fresh installation has something to show. The questions are ours, the
 * counts are invented, and every poll says so.
 */
export interface DemonstrationPoll {
  readonly id: string;
  readonly question: string;
  readonly description: string;
  /** Text and invented votes of each option, in display order. */
  readonly options: readonly (readonly [text: string, votes: number])[];
  /** Days from the first start of the installation; negative values are before it. */
  readonly starts: number;
  readonly ends: number;
  /** Set if the poll was closed before its end. */
  readonly closed?: number;
  readonly category?: string;
  readonly tags?: readonly string[];
  /** Name of the series, if the question was asked several times. */
  readonly series?: string;
  /** Defaults to `demonstrationAuthor`; null: no author. */
  readonly author?: null;
  readonly summary?: string;
  /** HTML. */
  readonly analysis?: string;
  readonly countries?: readonly (readonly [name: string, percentage: number])[];
}

/** Author of the demonstration polls. */
export const demonstrationAuthor = 'Weathervane demo';
/** The tag on every demonstration poll. */
export const demonstrationTag = 'demonstration';
/** Whether a poll with these tags is a demonstration poll. */
export const isDemonstration = ({ tags }: { readonly tags: readonly string[] }): boolean =>
  tags.includes(demonstrationTag);
/** The note on invented numbers in the report of every demo poll. */
export const demonstrationNotes =
  'Demo data: this poll came with the software. Its question was written, and its starting counts were invented, to show what a report looks like. No one was asked, and the numbers tell you nothing about anybody. Votes cast on this site are added on top.';

const open: readonly DemonstrationPoll[] = [
  {
    id: 'demo-night-train',
    question: 'If the night train cost the same as the flight, would you take it?',
    description:
      'Eleven hours, one pillow, and breakfast somewhere else; or two hours in the air and four around it. The price has always been the excuse. Suppose it’s gone.',
    options: [
      ['Yes, wake me when we get there', 412],
      ['Only if I get a compartment to myself', 287],
      ['No, I want to arrive the same day', 196],
    ],
    starts: -6,
    ends: 9,
    category: 'Environment',
    tags: ['climate', 'travel'],
  },
  {
    id: 'demo-harmful-advice',
    question: 'A chatbot gives bad advice and somebody gets hurt. Who should answer for it?',
    description:
      'Lawmakers on three continents are deciding who is responsible when a machine sounds sure of itself and is wrong. Which way should they lean?',
    options: [
      ['The company that built and sold it', 538],
      ['The person who relied on it', 121],
      ['Both, in shares decided by a court', 347],
    ],
    starts: -4,
    ends: 16,
    category: 'Technology',
    tags: ['ai', 'regulation'],
  },
  {
    id: 'demo-written-with-ai',
    question: 'Should a newspaper tell you when a machine helped write the article?',
    description:
      'Machines have been checking spelling for forty years, and nobody labels that. Headlines, summaries, and whole stories are another matter. Where should the label start?',
    options: [
      ['Always, no matter how small the help', 0],
      ['Only if it wrote whole passages', 0],
      ['No, the editor answers for it anyway', 0],
    ],
    starts: -1,
    ends: 21,
    category: 'Technology',
    tags: ['ai', 'media'],
  },
  {
    id: 'demo-too-hot-to-work',
    question: 'Should there be a temperature at which outdoor work has to stop?',
    description:
      'Roofs get shingled and fields get picked in weather that closes schools. Some countries set a number of degrees; most don’t. Employers point to deadlines, doctors to kidneys.',
    options: [
      ['Yes, a fixed limit by law', 264],
      ['Yes, but each trade sets its own', 305],
      ['No, the people on site know best', 88],
    ],
    starts: -9,
    ends: 5,
    category: 'Environment',
    tags: ['climate', 'work', 'health'],
  },
  {
    id: 'demo-neighbours-names',
    question: 'How many of your neighbors do you know by name?',
    description:
      'Researchers who study loneliness like this question, because you can’t buy your way to a better answer. Count the people, not the dogs.',
    options: [
      ['None or one', 143],
      ['Two to five', 391],
      ['More than five', 176],
    ],
    starts: -12,
    ends: 2,
    category: 'Local Issues',
    tags: ['social life'],
  },
  {
    id: 'demo-phone-at-the-gate',
    question: 'Should phones stay outside for the whole school day, recess included?',
    description:
      'Several countries now collect them at the door. Teachers report louder playgrounds; parents report a silence they aren’t used to.',
    options: [
      ['Yes, recess included', 0],
      ['Only during class', 0],
      ['No, they should learn to live with them', 0],
    ],
    starts: -2,
    ends: 28,
    category: 'Education',
    tags: ['school', 'phones'],
  },
  {
    id: 'demo-last-slice',
    question: 'One slice is left on the plate. Whose is it?',
    description:
      'Every family has a law about this, and no family has written it down. We’d like to settle it before the weekend.',
    options: [
      ['Whoever asks first', 502],
      ['Whoever cooked or paid', 489],
      ['Nobody’s: it goes stale out of politeness', 611],
    ],
    starts: -3,
    ends: 12,
    category: 'everyday-life',
    tags: ['food', 'manners'],
  },
  {
    id: 'demo-rent-cap',
    question: 'Should a city be allowed to cap apartment rents?',
    description:
      'A cap helps people who have an apartment today; whether it helps people looking for one tomorrow is something economists disagree about, loudly.',
    options: [
      ['Yes, for all apartments', 0],
      ['Yes, but not for new buildings', 0],
      ['No, build more instead', 0],
    ],
    starts: -5,
    ends: 30,
    category: 'Politics',
    tags: ['housing', 'cities'],
    author: null,
  },
];

/** A question that was asked three times. */
const clocks = {
  question: 'If we never change the clocks again, what time should they stay on?',
  category: 'World News',
  tags: ['time', 'weather'],
  series: 'Changing the Clocks',
};

const closed: readonly DemonstrationPoll[] = [
  {
    id: 'demo-wet-umbrella',
    question: 'Where does a wet umbrella belong when you come in?',
    description:
      'A question of floors, of manners, and of whose carpet it is. Asked during the wettest week of the year.',
    options: [
      ['Outside the door, open', 214],
      ['In a stand, closed', 3871],
      ['Wherever I happen to be standing', 128],
      ['I don’t own one and never will', 402],
    ],
    starts: -31,
    ends: -17,
    category: 'everyday-life',
    tags: ['weather', 'manners'],
    summary:
      'The umbrella stand wins by a landslide: it takes more than four in five answers, in a poll about an object that hardly anybody in the office could point to.',
    analysis:
      '<h3>A landslide for an absent piece of furniture</h3><p>“In a stand, closed” received 3,871 of 4,615 answers. That is <strong>83.9%</strong>, one of the clearest results of this demonstration.</p><h3>The honest minority</h3><p>128 people admit that the umbrella drips wherever they happen to be standing. We salute them, from a distance.</p><ul><li>Closed beats open by eighteen to one.</li><li>People who own no umbrella outnumber people who leave theirs outside the door.</li></ul>',
    countries: [
      ['Ireland', 31.4],
      ['Norway', 22.8],
      ['Netherlands', 17.5],
      ['United Kingdom', 14.1],
      ['Japan', 9.2],
      ['Chile', 3.3],
      ['Egypt', 1.7],
    ],
  },
  {
    id: 'demo-toast-cut',
    question: 'Toast: cut straight across, or corner to corner?',
    description: 'It tastes the same. It is not the same.',
    options: [
      ['Straight across', 4211],
      ['Corner to corner', 4211],
      ['Toast is not for cutting', 937],
    ],
    starts: -52,
    ends: -38,
    category: 'everyday-life',
    tags: ['food'],
    analysis:
      '<p>We counted again. <em>Straight across</em> and <em>corner to corner</em> both come to <strong>4,211</strong>. The remaining 937 would like to be left alone with their toast.</p><blockquote><p>A triangle has a point for dipping in the yolk. A rectangle has the moral high ground.</p></blockquote>',
  },
  {
    id: 'demo-nobody-came',
    question: 'Did you notice this poll while it was open?',
    description:
      'It went up on the quietest day of the year, and nobody was told. We wanted to see what a report without a single vote looks like.',
    options: [
      ['Yes', 0],
      ['No', 0],
      ['I refuse to say', 0],
    ],
    starts: -66,
    ends: -65,
    category: 'General',
  },
  {
    id: 'demo-sample-of-one',
    question: 'Is one vote a representative sample?',
    description: 'Somebody thought so.',
    options: [
      ['Yes', 1],
      ['No', 0],
    ],
    starts: -90,
    ends: -89,
    category: 'Science',
    tags: ['statistics'],
  },
  {
    id: 'demo-desert-island-soup',
    question: 'You may take one soup to a desert island. Which?',
    description:
      'There is fire, there is a pot, there is one spoon. The ingredients grow back overnight. Ten soups made the final after a long and bitter argument in the office.',
    options: [
      ['Chicken broth with noodles', 1204],
      ['Lentil', 1107],
      ['Tomato', 986],
      ['Ramen', 1321],
      ['Borscht', 743],
      ['Pumpkin', 512],
      ['Minestrone', 688],
      ['Phở', 1175],
      ['Gazpacho', 298],
      ['Whatever is left, blended', 166],
    ],
    starts: -121,
    ends: -100,
    category: 'Lifestyle',
    tags: ['food', 'islands'],
    summary:
      'Ten soups, no winner to speak of: ramen leads with about one answer in six, and four bowls are within three points of one another.',
    countries: [
      ['Japan', 18.2],
      ['France', 16.9],
      ['Poland', 14.4],
      ['Vietnam', 13.8],
      ['Italy', 12.1],
      ['Brazil', 9.6],
      ['Türkiye', 8.3],
      ['Canada', 6.7],
    ],
  },
  {
    id: 'demo-cats-dogs-country',
    question: 'Who would run the better country: cats or dogs?',
    description:
      'The demonstration’s biggest turnout. Dogs promised more walks for everybody. Cats promised nothing and published no platform.',
    options: [
      ['Cats: calm, independent, asleep by noon', 498_306],
      ['Dogs: loyal, outdoors, happy to see you', 471_922],
      ['A coalition', 61_480],
      ['Neither; the hamsters have been waiting', 38_557],
    ],
    starts: -310,
    ends: -280,
    category: 'Politics',
    tags: ['animals', 'government'],
    summary:
      'More than a million invented votes, and the margin is under three points: cats would form the government, dogs the loudest opposition in history.',
    analysis:
      '<h3>A million opinions and one scratching post</h3><p>Cats finish at 46.6%, dogs at 44.1%. In most countries this ends in talks; here it ended under the sofa.</p><table><thead><tr><th scope="col">Party</th><th scope="col">Votes</th></tr></thead><tbody><tr><td>Cats</td><td>498,306</td></tr><tr><td>Dogs</td><td>471,922</td></tr><tr><td>Coalition</td><td>61,480</td></tr><tr><td>Hamsters</td><td>38,557</td></tr></tbody></table><p>The hamsters’ 3.6% would be enough for a seat in several parliaments.</p>',
    countries: [
      ['United States', 24.6],
      ['Germany', 13.2],
      ['Brazil', 12.7],
      ['India', 11.9],
      ['Japan', 10.4],
      ['France', 9.8],
      ['Mexico', 8.9],
      ['Australia', 8.5],
    ],
  },
  {
    id: 'demo-the-long-question',
    question:
      'When a sentence is so long that its beginning has been forgotten before its end comes into sight, should the writer be made to read it aloud, in one breath, to the people for whom it had been written?',
    description: 'Two hundred characters, to the letter: a test for headlines, for cards, and for patience.',
    options: [
      ['Yes', 903],
      ['Yes, twice', 745],
      ['What was the question?', 812],
    ],
    starts: -140,
    ends: -126,
    category: 'Education',
    tags: ['language'],
  },
  {
    id: 'demo-arabic-morning',
    question: 'ماذا تشرب أوّل ما تستيقظ: شاياً أم قهوة؟',
    description:
      'سؤال صغير يكشف عن عادات البيت كلّه. كُتب هذا الاستطلاع بالعربية لنرى كيف تُعرض النصوص من اليمين إلى اليسار.',
    options: [
      ['شاي بالنعناع', 1288],
      ['قهوة بالهيل', 1640],
      ['ماء فقط، ثم نرى', 417],
    ],
    starts: -75,
    ends: -61,
    category: 'Lifestyle',
    tags: ['قهوة', 'شاي'],
    countries: [
      ['المغرب', 28.5],
      ['مصر', 26.1],
      ['الأردن', 19.7],
      ['تونس', 14.2],
      ['الكويت', 11.5],
    ],
  },
  {
    id: 'demo-hebrew-rain',
    question: 'גשם התחיל פתאום: לרוץ או ללכת?',
    description: 'פיזיקאים כבר חישבו את זה. אנחנו שואלים מה עושים באמת, עם שקיות בשתי הידיים.',
    options: [
      ['לרוץ', 734],
      ['ללכת כרגיל', 512],
      ['לחכות מתחת לגגון', 801],
    ],
    starts: -205,
    ends: -191,
    category: 'Science',
    tags: ['מזג אוויר'],
    author: null,
  },
  {
    id: 'demo-four-day-week',
    question: 'Four days’ work for five days’ pay: could your job be done in four?',
    description: 'The trials are usually run by companies hoping for a yes. We asked everybody else.',
    options: [
      ['Yes, and better', 2904],
      ['Yes, with somebody’s help', 1711],
      ['No, the fifth day is real', 1388],
      ['I can’t even do it in five', 967],
    ],
    starts: -48,
    ends: -27,
    category: 'Business & Finance',
    tags: ['work', 'time'],
    summary:
      'Two in three believe their work fits into four days, most of them without help. One in seven would be glad to fit it into five.',
    analysis:
      '<h3>What the yes is made of</h3><p>“Yes, and better” leads with 2,904 of 6,970 answers (41.7%). Counting those who would need help, 66.2% say four days are enough.</p><h3>What to make of it</h3><p>People were asked about <em>their own</em> jobs, in a poll that takes no longer than a coffee break. Keep both in mind.</p>',
    countries: [
      ['Spain', 21.3],
      ['Iceland', 19.8],
      ['Belgium', 18.4],
      ['Portugal', 16.6],
      ['South Korea', 13.1],
      ['United States', 10.8],
    ],
  },
  {
    id: 'demo-clock-change',
    description: 'Everybody wants the change to end. The trouble starts with the next sentence.',
    options: [
      ['Daylight saving time: light in the evening', 2210],
      ['Standard time: light in the morning', 2054],
      ['Keep switching; the argument holds us together', 633],
    ],
    starts: -28,
    ends: -14,
    ...clocks,
  },
  {
    id: 'demo-clock-change-spring',
    description: 'Asked again in spring, when the hour was missing. The evenings gained; the argument lost.',
    options: [
      ['Daylight saving time: light in the evening', 1338],
      ['Standard time: light in the morning', 973],
      ['Keep switching; the argument holds us together', 467],
    ],
    starts: -210,
    ends: -196,
    ...clocks,
  },
  {
    id: 'demo-clock-change-first',
    description: 'Asked in the week the hour came back. Everybody had slept well.',
    options: [
      ['Daylight saving time: light in the evening', 702],
      ['Standard time: light in the morning', 811],
      ['Keep switching; the argument holds us together', 398],
    ],
    starts: -392,
    ends: -378,
    ...clocks,
  },
  {
    id: 'demo-deposit-bottle',
    question: 'What would make you bring back every bottle you buy?',
    description: 'In some countries nineteen bottles out of twenty come back. In others they are part of the scenery.',
    options: [
      ['A higher deposit', 1433],
      ['A machine on every corner', 1876],
      ['Nothing, I already do', 1594],
      ['Nothing would', 241],
    ],
    starts: -83,
    ends: -69,
    category: 'Environment',
    tags: ['climate', 'trash'],
  },
  {
    id: 'demo-robot-taxi',
    question: 'Would you let a driverless taxi take your mother to the station?',
    description: 'Most people would get in themselves, out of curiosity. That’s why we asked about mothers.',
    options: [
      ['Yes', 688],
      ['Only if I can follow the ride on a map', 1029],
      ['No', 1317],
      ['She would never get in', 1402],
    ],
    starts: -59,
    ends: -45,
    category: 'Technology',
    tags: ['ai', 'transport', 'family'],
    summary:
      'No answer comes near a majority, and the largest group answers for mother herself: almost a third say she would never get in.',
  },
  {
    id: 'demo-vote-at-sixteen',
    question: 'At what age should people be allowed to vote?',
    description: 'Austria has let sixteen-year-olds vote for years, and the mountains are still there.',
    options: [
      ['Sixteen', 1712],
      ['Eighteen', 2648],
      ['Later than eighteen', 409],
      ['Whenever they can explain the ballot', 1133],
    ],
    starts: -168,
    ends: -140,
    category: 'Politics',
    tags: ['democracy', 'youth'],
    analysis:
      '<p>Eighteen keeps a <strong>strong plurality</strong> with 44.9%. The test on the ballot, which a good part of the adult population would fail, comes in third with 19.2%.</p>',
  },
  {
    id: 'demo-museum-photo',
    question: 'What should a museum do about people who photograph every painting?',
    description: 'They see the show twice: once through a phone, once never.',
    options: [
      ['Let them', 1520],
      ['Phone-free mornings', 1498],
      ['One room where anything may be photographed', 604],
      ['Photograph them back', 377],
    ],
    starts: -230,
    ends: -209,
    category: 'Entertainment',
    tags: ['art', 'phones'],
  },
  {
    id: 'demo-weather-small-talk',
    question: 'How many minutes can two strangers honestly talk about the weather?',
    description: 'Silence doesn’t count. Neither does “And how is it where you are?”',
    options: [
      ['Under one', 402],
      ['One to three', 1287],
      ['Three to ten', 866],
      ['We haven’t finished yet', 731],
    ],
    starts: -97,
    ends: -83,
    category: 'everyday-life',
    tags: ['weather', 'manners'],
    countries: [
      ['United Kingdom', 38.9],
      ['Denmark', 17.3],
      ['New Zealand', 15.2],
      ['Finland', 4.1],
    ],
  },
  {
    id: 'demo-spoiler-years',
    question: 'How long before you can give away the ending of a movie at dinner?',
    description: 'The ship sinks. We think it’s safe to say that by now.',
    options: [
      ['A week', 488],
      ['A year', 1355],
      ['Ten years', 902],
      ['Never', 1171],
    ],
    starts: -260,
    ends: -246,
    category: 'Entertainment',
    tags: ['movies', 'manners'],
  },
  {
    id: 'demo-tap-water',
    question: 'Should tap water be free in restaurants?',
    description: 'Somebody brings it, somebody washes the glass. Somebody also pays eleven for the soup.',
    options: [
      ['Yes, always', 3312],
      ['Yes, with a meal', 2190],
      ['A small fee is fair', 1004],
      ['No', 187],
    ],
    starts: -188,
    ends: -174,
    category: 'Travel',
    tags: ['food', 'money'],
  },
  {
    id: 'demo-answer-the-aliens',
    question: 'A signal from another star says “Hello?”. Do we answer?',
    description:
      'It was sent four hundred years ago. Our reply will take as long. There’s no hurry, but there is a committee.',
    options: [
      ['Yes, politely', 2877],
      ['Yes, but say we’re not home', 1203],
      ['No, and turn off the lights', 1465],
      ['Ask them to define “hello”', 798],
    ],
    starts: -365,
    ends: -335,
    category: 'Science',
    tags: ['space'],
    summary:
      'Good manners win: 45.4% would answer a signal from the stars politely. Almost a quarter would turn off the lights and wait.',
    analysis:
      '<h3>The polite and the cautious</h3><p>“Yes, politely” leads with 2,877 of 6,343 answers. Those who would hide or pretend to be out add up to 42.1%: not a majority, but enough to be heard at the back of the committee room.</p><figure><figcaption>No chart can show how long four hundred years is.</figcaption></figure>',
    countries: [
      ['Italy', 23.4],
      ['Chile', 21.7],
      ['United States', 20.2],
      ['China', 18.9],
      ['South Africa', 15.8],
    ],
  },
  {
    id: 'demo-video-referee',
    question: 'Video referees: have they made soccer fairer, or just slower?',
    description: 'A goal is now a hypothesis. The crowd waits, the captain draws a rectangle in the air.',
    options: [
      ['Fairer', 1011],
      ['Slower', 1894],
      ['Both', 2236],
      ['Neither, they still get it wrong', 1580],
    ],
    starts: -154,
    ends: -133,
    category: 'Sports',
    tags: ['soccer'],
  },
  {
    id: 'demo-cash-in-the-pocket',
    question: 'How much cash do you have on you right now?',
    description: 'The coin in your coat pocket counts. So does the one in the lining.',
    options: [
      ['None', 1986],
      ['Enough for coffee', 1544],
      ['Enough for dinner', 1120],
      ['Enough to leave the country', 173],
    ],
    starts: -42,
    ends: -21,
    category: 'Business & Finance',
    tags: ['money'],
    countries: [
      ['Sweden', 19.9],
      ['Germany', 19.1],
      ['Austria', 17.6],
      ['Kenya', 16.3],
      ['Japan', 15.0],
      ['Bulgaria', 12.1],
    ],
  },
  {
    id: 'demo-handwriting',
    question: 'Should schools still teach cursive?',
    description: 'It trains the hand, the eye, and the patience of everybody who has to read it.',
    options: [
      ['Yes, as they do now', 2018],
      ['As an art, for kids who like it', 1467],
      ['No, teach typing properly', 922],
    ],
    starts: -415,
    ends: -394,
    category: 'Education',
    tags: ['school', 'language'],
  },
  {
    id: 'demo-dark-streets',
    question: 'Should streetlights go off from one to five in the morning?',
    description:
      'Astronomers, moths, and the town’s accountants say yes. People who walk home at two would like to be asked.',
    options: [
      ['Yes', 904],
      ['Dim them instead', 1762],
      ['No, leave them on', 1189],
    ],
    starts: -112,
    ends: -91,
    category: 'Local Issues',
    tags: ['climate', 'cities', 'night'],
    summary: 'The compromise wins: 45.7% would dim the lights, and leaving them on beats turning them off.',
  },
  {
    id: 'demo-bench-or-parking',
    question: 'A parking space opens up on your street. What should it become?',
    description:
      'Twelve square meters, on the sunny side, two blocks from the station. The town council would like to know by Thursday, and has wanted to know since spring.',
    options: [
      ['A parking space', 611],
      ['A tree', 1390],
      ['Two benches', 1034],
      ['Racks for ten bikes', 705],
    ],
    starts: -21,
    ends: -7,
    category: 'Local Issues',
    tags: ['cities', 'climate'],
  },
  {
    id: 'demo-homework-machine',
    question: 'A student turns in an essay a machine wrote, and can explain every sentence of it. What grade?',
    description: 'Three teachers in one lounge gave three answers. The coffee machine gave a fourth.',
    options: [
      ['The grade the essay deserves', 744],
      ['A grade for the explanation only', 1906],
      ['None: the writing was the exercise', 1633],
      ['Give the machine the grade', 287],
    ],
    starts: -14,
    ends: -2,
    category: 'Education',
    tags: ['ai', 'school'],
    summary: 'A strong plurality, 41.7%, would grade what the student can explain and not what the machine wrote.',
    analysis:
      '<p>Four in ten would grade the explanation; more than a third would grade nothing at all. Fewer than one in six would treat the essay as if a human had written it.</p><p>The question hides another one: <em>what was the exercise for?</em> People who see the essay as a product look at the result; people who see it as training look at the runner, and he took a cab.</p>',
  },
  {
    id: 'demo-save-point',
    question: 'Life gets one save point. When do you press the button?',
    description: 'You can load it once. Whatever you’ve learned by then, you keep.',
    options: [
      ['It’s already behind me', 1255],
      ['Today, to be safe', 833],
      ['Not yet, something better will come', 1690],
      ['Never: I play without one', 1478],
    ],
    starts: -340,
    ends: -319,
    category: 'Gaming',
    tags: ['games', 'time'],
  },
  {
    id: 'demo-window-at-night',
    question: 'Bedroom window at night: open or closed?',
    description: 'Marriages have ended over less, and been saved by a second blanket.',
    options: [
      ['Open, even when it freezes', 1422],
      ['Open a crack', 1967],
      ['Closed', 1608],
    ],
    starts: -388,
    ends: -367,
    category: 'Health',
    tags: ['sleep', 'weather'],
    author: null,
  },
  {
    id: 'demo-thank-the-machine',
    question: 'Do you say “please” and “thank you” to machines?',
    description: 'It costs a little electricity and, some say, does nothing else. Others say it’s practice.',
    options: [
      ['Always', 1788],
      ['When nobody can hear me', 1043],
      ['Never', 1219],
      ['Only so they’ll spare me later', 1356],
    ],
    starts: -35,
    ends: -24,
    category: 'Technology',
    tags: ['ai', 'manners'],
    countries: [
      ['Canada', 29.7],
      ['Japan', 26.4],
      ['United Kingdom', 24.2],
      ['Germany', 19.7],
    ],
  },
  {
    id: 'demo-museum-of-smells',
    question: 'Which smell should a museum preserve before it’s gone?',
    description: 'Tried out on a small circle, which is why so few have answered.',
    options: [
      ['A school hallway in September', 6],
      ['A darkroom', 4],
      ['Summer rain on a hot road', 5],
      ['The inside of an old phone booth', 2],
    ],
    starts: -450,
    ends: -443,
    category: 'Science',
    tags: ['memory'],
  },
  {
    id: 'demo-queue-rules',
    question: 'A second checkout lane opens. Who goes first?',
    description: 'There are two schools of thought, and they have met in every supermarket in the world.',
    options: [
      ['Whoever was next in the old line', 3904],
      ['Whoever gets there first', 391],
      ['The person with three items', 512],
    ],
    starts: -500,
    ends: -479,
    category: 'everyday-life',
    tags: ['manners'],
    summary: 'A clear consensus: four in five hold that a line is a promise, and that a new lane has to keep it.',
    analysis:
      '<p>“Whoever was next in the old line” received <strong>81.2%</strong>. It is also, as every shopper knows, never what happens.</p>',
  },
  {
    id: 'demo-meat-on-monday',
    question: 'One meatless day in cafeterias and schools: how should it come about?',
    description: 'The climate numbers are clear. So are the feelings about schnitzel.',
    options: [
      ['By rule, one set day', 1120],
      ['By better vegetables', 2389],
      ['By price', 747],
      ['Not at all', 1298],
    ],
    starts: -560,
    ends: -539,
    category: 'Environment',
    tags: ['climate', 'food'],
    countries: [
      ['Finland', 22.7],
      ['Belgium', 21.5],
      ['India', 20.9],
      ['Argentina', 18.0],
      ['France', 16.9],
    ],
  },
  {
    id: 'demo-care-robot',
    question: 'Would you want a robot to take care of you when you’re old?',
    description:
      'It’s strong, it’s never in a hurry, and it laughs at the same joke every time, which may be the point.',
    options: [
      ['Yes, rather than my children', 1181],
      ['For lifting, not for talking', 2467],
      ['No, I want people', 1959],
      ['I don’t plan to get old', 344],
    ],
    starts: -610,
    ends: -582,
    category: 'Health',
    tags: ['ai', 'family', 'health'],
    summary: 'Strength yes, company no: 41.5% would let a machine lift them, and a third want nobody but people.',
  },
  {
    id: 'demo-holiday-no-photos',
    question: 'A wonderful vacation, but you can’t take a single photo. Do you book it?',
    description: 'Closed a week early: the travel desk had gone on vacation.',
    options: [
      ['At once', 1503],
      ['Only if it’s cheaper', 462],
      ['No, I’d forget it', 588],
    ],
    starts: -650,
    ends: -629,
    closed: -636,
    category: 'Travel',
    tags: ['memory', 'phones'],
  },
  {
    id: 'demo-first-poll',
    question: 'Which way is the wind blowing?',
    description:
      'The very first question, asked from a roof with a wet finger in the air. It has no category, since we hadn’t thought of any yet.',
    options: [
      ['North', 88],
      ['East', 93],
      ['South', 79],
      ['West', 101],
      ['It has died down', 64],
    ],
    starts: -728,
    ends: -700,
  },
];

/** All demo polls: a few open ones and two years of archive. */
export const demonstrationPolls: readonly DemonstrationPoll[] = [...open, ...closed];
