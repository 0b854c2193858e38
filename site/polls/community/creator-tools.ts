// What only the creator of a poll sees, as one module, so that only creators load it.
export { CommunityPollTools } from './CommunityPollTools.tsx';
export { BlockedMembers } from './BlockedMembers.tsx';
export { InvitesPanel } from './InvitesPanel.tsx';
export { OwnFlags } from './OwnFlags.tsx';
export { WrittenAnswers } from './WrittenAnswers.tsx';
