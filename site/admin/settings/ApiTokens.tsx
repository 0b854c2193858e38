import { useState } from 'react';
import * as limits from '#contract/limits.ts';
import type { ApiToken, NewApiToken } from '#api/admin/operators/operators.contract.ts';
import type { ApiScope } from '#contract/vocabulary.ts';
import { callAdmin, refreshAdmin } from '#site/admin/admin-session.ts';
import { AdminForm } from '#site/admin/AdminForm.tsx';
import { ActionButton, AdminList, ListRow, useAdminQuery } from '#site/admin/AdminList.tsx';
import { AdminSection } from '#site/admin/AdminSection.tsx';
import { formatDay } from '#site/ui/format.ts';
import { choicesIn } from '#site/ui/SelectField.tsx';
import { ShownOnce } from '#site/ui/ShownOnce.tsx';
import { adminSignInTexts, tokenTexts as texts } from '#texts/operators.ts';

/** Days after which a token expires; 0: never. */
const expiries = [30, 90, 365, 0] as const;
const dayMs = 86_400_000;

/** API tokens: owners make and revoke them. */
export function ApiTokens() {
  const query = useAdminQuery('apiTokens');
  /** The one that was created last, whose secret is shown. */
  const [created, setCreated] = useState<NewApiToken>();
  const forget = (id: number) => setCreated((shown) => (shown?.id === id ? undefined : shown));
  return (
    <AdminSection anchor="tokens" heading={texts.heading} text={texts.text}>
      <AdminList
        query={query}
        rows={({ tokens }) => tokens}
        empty={texts.none}
        label={texts.list}
        row={(token) => <Token {...token} onRevoked={() => forget(token.id)} />}
      />
      <AdminForm
        resets
        fields={[
          {
            ...{ name: 'name', label: texts.name, hint: texts.nameHint, required: texts.noName },
            input: { maxLength: limits.apiTokenName, autoComplete: 'off' },
          },
          {
            ...{ name: 'scopes', label: texts.scopesLabel, required: texts.noScope },
            ...{ choices: choicesIn(texts.scopes), checked: [] },
          },
          {
            ...{ name: 'expiry', label: texts.expiry, value: '90' },
            choices: expiries.map((days) => [String(days), texts.expiries[days]]),
          },
        ]}
        submit={texts.create}
        send={async (field, all) => {
          const days = Number(field('expiry'));
          const expiresAt = days === 0 ? null : new Date(Date.now() + days * dayMs).toISOString();
          const body = { name: field('name'), scopes: all('scopes') as ApiScope[], expiresAt };
          setCreated(await callAdmin('createApiToken', { body }));
          void refreshAdmin();
        }}
        heading={texts.create}
      />
      {created !== undefined && (
        <ShownOnce key={created.token} url={created.token} label={texts.token} texts={texts.copying}>
          <b dir="auto">{created.name}</b>: {texts.once}
        </ShownOnce>
      )}
    </AdminSection>
  );
}

function Token({ onRevoked, ...token }: ApiToken & { readonly onRevoked: () => void }) {
  const [now] = useState(() => Date.now());
  const { id, name, scopes, madeBy, createdAt, expiresAt, lastUsedAt } = token;
  const expiry =
    expiresAt === null ? texts.neverExpires : texts.expires(formatDay(expiresAt), Date.parse(expiresAt) <= now);
  return (
    <ListRow
      actions={
        <ActionButton
          label={texts.revoke}
          name={texts.revokeName(name)}
          ask={{
            ...{ title: texts.revokeTitle(name), text: texts.revokeText, confirm: texts.revoke },
            ...{ cancel: adminSignInTexts.cancel, dangerous: true },
          }}
          act={async () => {
            await callAdmin('revokeApiToken', { params: { id: String(id) } });
            onRevoked();
            return { title: texts.heading, text: texts.revoked };
          }}
        />
      }
    >
      <p>
        <b dir="auto">{name}</b>: {scopes.map((scope) => texts.scopes[scope]).join(', ')}
      </p>
      <p className="muted small">
        {texts.made(formatDay(createdAt), madeBy)}, {texts.used(lastUsedAt === null ? null : formatDay(lastUsedAt))},{' '}
        {expiry}
      </p>
    </ListRow>
  );
}
