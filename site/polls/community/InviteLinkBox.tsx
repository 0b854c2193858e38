import { useMutation, useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import type { ResponseOf } from '#api/endpoints.contract.ts';
import type { CreatedInviteLink, InviteLink, NewInviteLink } from '#api/polls/community/invitations.contract.ts';
import * as limits from '#contract/limits.ts';
import { callApi } from '#site/client/api.ts';
import { failureSentence } from '#site/client/failure-text.ts';
import { queryClient, queryKeys } from '#site/client/query-client.ts';
import { useForm } from '#site/client/use-form.ts';
import { CopyLink } from '#site/ui/CopyLink.tsx';
import { Field } from '#site/ui/Field.tsx';
import { RelativeTime, useNow } from '#site/ui/RelativeTime.tsx';
import { inviteLinkTexts as texts } from '#texts/creator-tools.ts';
import styles from './CreatorTools.module.css';
import { sharedWithOthers } from '#site/polls/voting/use-poll.ts';

const daysSuggested: NewInviteLink['days'] = 7;
/** A club that is neither tiny nor whoever passes the link on. */
const usesSuggested = 25;

/** The link that members join the creator’s private poll with: create, see how often it was used, revoke. */
export function InviteLinkBox({ pollId }: { readonly pollId: string }) {
  const { link, url, create, revoke } = useInviteLink(pollId);
  const id = useId();
  if (link === undefined) return null;
  return (
    <section className={styles.inviteLink} aria-labelledby={id}>
      <h3 id={id} className={styles.inviteLinkHeading}>
        {texts.heading}
      </h3>
      {link === null ? (
        <NewLinkForm create={create.mutateAsync} />
      ) : (
        <>
          {url !== null && (
            <>
              <CopyLink url={url} label={texts.heading} ready />
              <p className="muted small">{texts.copyNow}</p>
            </>
          )}
          <LinkState link={link} />
          <p className="muted small">{texts.removing}</p>
          <p>
            <button
              type="button"
              className="button button--small"
              aria-disabled={revoke.isPending}
              onClick={() => revoke.isPending || revoke.mutate()}
            >
              {texts.revoke}
            </button>
          </p>
        </>
      )}
      {revoke.error && (
        <p className={styles.inviteProblem} role="alert">
          {failureSentence(revoke.error, texts.failed)}
        </p>
      )}
      <p className="visually-hidden" role="status">
        {url !== null ? texts.created : revoke.isSuccess && link === null ? texts.revoked : ''}
      </p>
    </section>
  );
}

interface NewLinkFormProps {
  readonly create: (link: NewInviteLink) => Promise<unknown>;
}

function NewLinkForm({ create }: NewLinkFormProps) {
  const id = useId();
  const { form, pending, problemOf, formProblem } = useForm({
    bodyOf: (field) => ({
      days: limits.inviteLinkDays.find((one) => String(one) === field('days'))!,
      maxUses: Number(field('maxUses')),
    }),
    check: ({ maxUses }) =>
      Number.isInteger(maxUses) && maxUses >= 1 && maxUses <= limits.communityGuests
        ? []
        : [{ field: 'maxUses', message: texts.usesBetween(limits.communityGuests) }],
    send: create,
    onFailed: (error) => failureSentence(error, texts.failed),
  });
  return (
    <form {...form} className={styles.edit}>
      <p className="muted small">{texts.note}</p>
      <Field id={`${id}-days`} label={texts.expiresAfter} problem={problemOf('days')}>
        {(control) => (
          <select {...control} className="input" name="days" defaultValue={daysSuggested}>
            {limits.inviteLinkDays.map((one) => (
              <option key={one} value={one}>
                {texts.days(one)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field id={`${id}-uses`} label={texts.maxUses} problem={problemOf('maxUses')}>
        {(control) => (
          <input
            {...control}
            className="input"
            name="maxUses"
            inputMode="numeric"
            autoComplete="off"
            defaultValue={usesSuggested}
          />
        )}
      </Field>
      {formProblem !== null && (
        <p className={styles.inviteProblem} role="alert">
          {formProblem}
        </p>
      )}
      <button type="submit" className="button" aria-disabled={pending}>
        {pending ? texts.creating : texts.create}
      </button>
    </form>
  );
}

function LinkState({ link: { uses, maxUses, expiresAt } }: { readonly link: InviteLink }) {
  const now = useNow();
  const expired = now !== null && Date.parse(expiresAt) <= now;
  return (
    <p>
      {texts.uses(uses, maxUses)}
      {' · '}
      {uses >= maxUses ? (
        texts.usedUp
      ) : (
        <>
          {expired ? texts.expired : texts.expires} <RelativeTime moment={expiresAt} />
        </>
      )}
    </p>
  );
}

/** Reads and changes the link of a poll; `url` is known only to the page that created it. */
function useInviteLink(pollId: string) {
  const client = queryClient();
  const queryKey = queryKeys.inviteLink(pollId);
  const params = { id: pollId };
  const { data } = useQuery(
    {
      queryKey,
      queryFn: ({ signal }) => callApi('inviteLink', { params, signal }),
      // Members join with the link while its creator reads how often it was used.
      ...sharedWithOthers,
    },
    client,
  );
  const show = async (link: InviteLink | null) => {
    await client.cancelQueries({ queryKey });
    client.setQueryData<ResponseOf<'inviteLink'>>(queryKey, (shown) => ({ sendsMail: false, ...shown, link }));
  };
  const create = useMutation<CreatedInviteLink, Error, NewInviteLink>(
    {
      mutationFn: (body) => callApi('createInviteLink', { params, body }),
      onSuccess: ({ link }) => show(link),
    },
    client,
  );
  const revoke = useMutation(
    {
      mutationFn: () => callApi('revokeInviteLink', { params }),
      onSuccess: () => show(null),
    },
    client,
  );
  const link = data?.link;
  // Another tab may have replaced the link.
  const isShown = link != null && create.data?.link.createdAt === link.createdAt;
  return { link, url: isShown ? create.data!.url : null, create, revoke };
}
