import { useState } from 'react';
import { callAdmin, refreshAdmin, useAdminMutation, useDeskUser } from '#site/admin/admin-session.ts';
import { ActionDialog } from '#site/admin/ActionDialog.tsx';
import { AdminSection, Loaded } from '#site/admin/AdminSection.tsx';
import { toast } from '#site/ui/toasts.ts';
import { deskSignInTexts, sharedPasswordTexts as texts } from '#texts/operators.ts';
import { useOperators } from './operators.ts';

/** Whether the shared password opens the desk, and turning it on or off. */
export function SharedPassword() {
  const query = useOperators();
  const isMember = useDeskUser()?.member === true;
  const [turningOff, setTurningOff] = useState(false);
  const { mutate, isPending } = useAdminMutation(
    () => callAdmin('setSharedPassword', { body: { on: true } }),
    () => {
      toast({ title: texts.heading, text: texts.turnedOn });
      void refreshAdmin();
    },
  );
  return (
    <AdminSection anchor="shared-password" heading={texts.heading} text={texts.text}>
      <Loaded query={query}>
        {({ sharedPassword }) => (
          <>
            <p>{sharedPassword ? texts.on : texts.off}</p>
            {sharedPassword && !isMember ? (
              <p className="muted">{texts.asYourself}</p>
            ) : (
              <p>
                <button
                  type="button"
                  className="button"
                  aria-disabled={isPending}
                  onClick={() => (sharedPassword ? setTurningOff(true) : isPending || mutate())}
                >
                  {sharedPassword ? texts.turnOff : texts.turnOn}
                </button>
              </p>
            )}
          </>
        )}
      </Loaded>
      {turningOff && <TurnOff onClose={() => setTurningOff(false)} />}
    </AdminSection>
  );
}

function TurnOff({ onClose }: { readonly onClose: () => void }) {
  const action = async () => {
    await callAdmin('setSharedPassword', { body: { on: false } });
    return { title: texts.heading, text: texts.turnedOff };
  };
  return (
    <ActionDialog
      title={texts.turnOffTitle}
      text={texts.turnOffText}
      confirm={texts.turnOff}
      cancel={deskSignInTexts.cancel}
      dangerous
      action={action}
      onClose={onClose}
    />
  );
}
