import type { Provenance } from '#api/polls/polls.contract.ts';
import { provenanceFields } from '#contract/vocabulary.ts';
import { isBlank, trimText } from './visible-text.ts';

/** Where the answers of a poll come from. */
export const origins = ['here', 'imported', 'both', 'demo'] as const;
export type Origin = (typeof origins)[number];

/** What the origin of a poll’s answers follows from. */
interface Counted {
  /** Votes that came with an import. */
  readonly baseVotes: number;
  /** Votes received in all, counted or not. */
  readonly receivedVotes: number;
  /** Whether the poll is part of the demo data, whose counts are invented. */
  readonly isDemo: boolean;
}

/** Where the answers come from: cast here, imported, both, or invented for the demo. A poll without votes is voted on here. */
export function originOf({ baseVotes, receivedVotes, isDemo }: Counted): Origin {
  if (isDemo) return 'demo';
  if (baseVotes === 0) return 'here';
  return receivedVotes > baseVotes ? 'both' : 'imported';
}

/** The origin as polls state it: omitted where all answers were cast here. */
export interface Originated {
  readonly origin?: Exclude<Origin, 'here'> | undefined;
}

/** What is stated of imported answers, in one order and without what is blank. */
export function tidyProvenance(stated: {
  readonly [Field in keyof Provenance]?: string | null | undefined;
}): Provenance {
  return Object.fromEntries(
    provenanceFields.flatMap((field) => {
      const text = stated[field] ?? '';
      return isBlank(text) ? [] : [[field, trimText(text)]];
    }),
  );
}

/** Whether a source can be linked. */
export const isSourceLink = (text: string): boolean => /^https?:\/\/[^\s/]+/.test(text) && URL.canParse(text);

/** What is known of the imported answers of a poll; empty where none were imported. */
export const provenanceOf = ({
  origin,
  provenance = {},
}: Originated & { readonly provenance?: Provenance | undefined }) =>
  origin === 'imported' || origin === 'both' ? provenance : {};

/** Whether people who chose to vote here gave at least some of the answers, so that its rules and its license apply to them. */
export const isVotedHere = ({ origin }: Originated): boolean => origin !== 'imported';

/** Whether the votes can be counted again from what this site published: only those that were cast here. */
export const isRecountable = ({ origin }: Originated): boolean => origin === undefined || origin === 'both';
