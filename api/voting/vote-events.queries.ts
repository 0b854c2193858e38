import { badgeNumbers } from '#api/members/badges/badges.contract.ts';

const dayMs = 86_400_000;
const hourMs = 3_600_000;
const minuteMs = 60_000;
const { edgeMs, nightFrom, nightUntil, dawnUntil } = badgeNumbers;

/**
 * SQL that records the votes of members among `votes` (a query in parentheses) as events, with the transaction of the votes:
 * who voted on which poll on which day, never the option or the time. What badges need of the time goes along as traits.
 */
export function recordVotesSql(sqlite: boolean, votes: string): string {
  const hour = `v.created_at / ${hourMs} % 24`;
  const traits = (some: readonly (readonly [trait: string, condition: string])[]) =>
    some.map(([trait, condition]) => `case when ${condition} then '"${trait}",' else '' end`).join(' || ');
  const ofTime = traits([
    ['firstHour', `v.created_at - b.starts_at < ${edgeMs}`],
    ['lastHour', `b.ends_at - v.created_at <= ${edgeMs}`],
    ['night', `${hour} >= ${nightFrom} and ${hour} < ${nightUntil}`],
    ['dawn', `${hour} >= ${nightUntil} and ${hour} < ${dawnUntil}`],
    ['midnight', `v.created_at % ${dayMs} < ${minuteMs}`],
  ]);
  // Of votes that are erased, only the day is known.
  const all = `${traits([['own', 'p.created_by = v.user_id']])} || case when b.erased_at is null then ${ofTime} else '' end`;
  const category = sqlite ? 'json_quote(b.category)' : "coalesce(to_json(b.category)::text, 'null')";
  return `insert into events (at, type, subject_kind, subject, member_id, after)
    select v.created_at - v.created_at % ${dayMs}, 'vote.cast',
      case b.kind when 'poll' then 'poll' else 'community-poll' end, b.id, v.user_id,
      '{"category":' || ${category} || ',"traits":[' || rtrim(${all}, ',') || ']}'
    from ${votes} v
    ${sqlite ? 'cross join' : 'join'} ballots b on b.key = v.ballot_key
    left join community_polls p on p.id = b.id
    where v.user_id is not null
    on conflict do nothing`;
}
