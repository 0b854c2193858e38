import type { ComponentProps } from 'react';
import { ranked } from './community/RankedParts.tsx';
import PollPage from './Poll.island.tsx';

/** The page of a ranked poll. */
export default function RankedPollPage(props: ComponentProps<typeof PollPage>) {
  return <PollPage {...props} ballot={{ several: ranked }} />;
}
