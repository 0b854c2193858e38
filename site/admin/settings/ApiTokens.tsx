import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { SubmitEvent } from 'react';
import * as limits from '#contract/limits.ts';
import type { ApiToken, ApiTokenRequest, NewApiToken } from '#contract/operator.ts';
import { apiScopes } from '#contract/vocabulary.ts';
import type { ApiScope } from '#contract/vocabulary.ts';
import styles from '#site/admin/Admin.module.css';
import listStyles from '#site/admin/AdminLists.module.css';
import { adminKey, callAdmin, refreshAdmin, useAdminMutation, useDialogMutation } from '#site/admin/admin-session.ts';
import { AdminSection, Loaded } from '#site/admin/AdminSection.tsx';
import { ShownOnce } from '#site/ui/ShownOnce.tsx';
import { queryClient } from '#site/client/query-client.ts';
import { ConfirmDialog } from '#site/ui/Dialog.tsx';
import { Field } from '#site/ui/Field.tsx';
import { formatDay } from '#site/ui/format.ts';
import { deskSignInTexts, tokenTexts as texts } from '#texts/operators.ts';

/** API tokens: owners make and revoke them. */
export function ApiTokens() {
  const query = useQuery(
    { queryKey: [...adminKey, 'tokens'], queryFn: ({ signal }) => callAdmin('apiTokens', { signal }) },
    queryClient(),
  );
  const [revoking, setRevoking] = useState<ApiToken | null>(null);
  const [created, setCreated] = useState<NewApiToken>();
  return (
    <AdminSection anchor="tokens" heading={texts.heading} text={texts.text}>
      <Loaded query={query}>
        {({ tokens }) =>
          tokens.length === 0 ? (
            <p className="muted">{texts.none}</p>
          ) : (
            <ul className={styles.list} aria-label={texts.list}>
              {tokens.map((token) => (
                <Token key={token.id} token={token} onRevoke={() => setRevoking(token)} />
              ))}
            </ul>
          )
        }
      </Loaded>
      <CreateToken created={created} onCreated={setCreated} />
      {revoking !== null && (
        <RevokeToken
          token={revoking}
          onRevoked={() => setCreated((shown) => (shown?.id === revoking.id ? undefined : shown))}
          onClose={() => setRevoking(null)}
        />
      )}
    </AdminSection>
  );
}

function Token({ token, onRevoke }: { readonly token: ApiToken; readonly onRevoke: () => void }) {
  const [now] = useState(() => Date.now());
  const { name, scopes, madeBy, createdAt, expiresAt, lastUsedAt } = token;
  const expiry =
    expiresAt === null ? texts.neverExpires : texts.expires(formatDay(expiresAt), Date.parse(expiresAt) <= now);
  return (
    <li className={styles.entry}>
      <div>
        <p>
          <b dir="auto">{name}</b>: {scopes.map((scope) => texts.scopes[scope]).join(', ')}
        </p>
        <p className="muted small">
          {texts.made(formatDay(createdAt), madeBy)}, {texts.used(lastUsedAt === null ? null : formatDay(lastUsedAt))},{' '}
          {expiry}
        </p>
      </div>
      <button type="button" className="button button--small" aria-label={texts.revokeName(name)} onClick={onRevoke}>
        {texts.revoke}
      </button>
    </li>
  );
}

interface CreateTokenProps {
  /** The one that was created last, whose secret is shown. */
  readonly created: NewApiToken | undefined;
  readonly onCreated: (token: NewApiToken) => void;
}

function CreateToken({ created, onCreated }: CreateTokenProps) {
  const id = useId();
  const [problems, setProblems] = useState<{ readonly name?: string; readonly scopes?: string }>({});
  const { mutate, isPending } = useAdminMutation(
    (body: ApiTokenRequest) => callAdmin('createApiToken', { body }),
    (token) => {
      onCreated(token);
      void refreshAdmin();
    },
  );
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const typed = data.get('name');
    const name = typeof typed === 'string' ? typed.trim() : '';
    const scopes = data.getAll('scopes') as ApiScope[];
    const days = Number(data.get('expiry'));
    setProblems({ ...(name === '' && { name: texts.noName }), ...(scopes.length === 0 && { scopes: texts.noScope }) });
    if (name === '' || scopes.length === 0 || isPending) return;
    const expiresAt = days === 0 ? null : new Date(Date.now() + days * 86_400_000).toISOString();
    mutate({ name, scopes, expiresAt });
  };
  return (
    <>
      {/* The fields are empty again for the next token. */}
      <form key={created?.id} className="stack" noValidate onSubmit={submit}>
        <h3>{texts.create}</h3>
        <Field id={`${id}-name`} label={texts.name} hint={texts.nameHint} problem={problems.name}>
          {(control) => (
            <input {...control} className="input" name="name" maxLength={limits.apiTokenName} autoComplete="off" />
          )}
        </Field>
        <fieldset
          className={listStyles.options}
          aria-describedby={problems.scopes === undefined ? undefined : `${id}-scopes`}
        >
          <legend>{texts.scopesLabel}</legend>
          {apiScopes.map((scope) => (
            <label key={scope} className={styles.check}>
              <input type="checkbox" name="scopes" value={scope} />
              {texts.scopes[scope]}
            </label>
          ))}
          {problems.scopes !== undefined && (
            <p id={`${id}-scopes`} className={listStyles.problem} role="alert">
              {problems.scopes}
            </p>
          )}
        </fieldset>
        <Field id={`${id}-expiry`} label={texts.expiry}>
          {(control) => (
            <select {...control} className="input" name="expiry" defaultValue="90">
              {[30, 90, 365, 0].map((days) => (
                <option key={days} value={days}>
                  {texts.expiries[days as keyof typeof texts.expiries]}
                </option>
              ))}
            </select>
          )}
        </Field>
        <div>
          <button type="submit" className="button" aria-disabled={isPending}>
            {texts.create}
          </button>
        </div>
      </form>
      {created !== undefined && (
        <ShownOnce key={created.token} url={created.token} label={texts.token} texts={texts.copying}>
          <b dir="auto">{created.name}</b>: {texts.once}
        </ShownOnce>
      )}
    </>
  );
}

interface RevokeTokenProps {
  readonly token: ApiToken;
  readonly onRevoked: () => void;
  readonly onClose: () => void;
}

function RevokeToken({ token, onRevoked, onClose }: RevokeTokenProps) {
  const { mutate, pending, problem } = useDialogMutation(async () => {
    await callAdmin('revokeApiToken', { params: { id: String(token.id) } });
    onRevoked();
    return { title: texts.heading, text: texts.revoked };
  }, onClose);
  return (
    <ConfirmDialog
      title={texts.revokeTitle(token.name)}
      text={texts.revokeText}
      confirm={texts.revoke}
      cancel={deskSignInTexts.cancel}
      dangerous
      pending={pending}
      problem={problem}
      onConfirm={mutate}
      onClose={onClose}
    />
  );
}
