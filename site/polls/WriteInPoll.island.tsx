import type { ComponentProps } from 'react';
import { written } from './community/WriteInParts.tsx';
import PollPage from './Poll.island.tsx';

/** The page of a poll whose voters may write another answer. */
export default function WriteInPollPage(props: ComponentProps<typeof PollPage>) {
  return <PollPage {...props} ballot={{ written }} />;
}
