import { callAdmin, useAdminUser } from '#site/admin/admin-session.ts';
import { ActionButton, useAdminQuery } from '#site/admin/AdminList.tsx';
import { AdminSection, Loaded } from '#site/admin/AdminSection.tsx';
import { adminSignInTexts, sharedPasswordTexts as texts } from '#texts/operators.ts';

/** Whether the shared password opens the admin pages, and turning it on or off. */
export function SharedPassword() {
  const query = useAdminQuery('operators');
  const isMember = useAdminUser()?.member === true;
  return (
    <AdminSection anchor="shared-password" heading={texts.heading} text={texts.text}>
      <Loaded query={query}>
        {({ sharedPassword: isOn }) => (
          <>
            <p>{isOn ? texts.on : texts.off}</p>
            {isOn && !isMember ? (
              <p className="muted">{texts.asYourself}</p>
            ) : (
              <div>
                <ActionButton
                  className="button"
                  label={isOn ? texts.turnOff : texts.turnOn}
                  {...(isOn && {
                    ask: {
                      ...{ title: texts.turnOffTitle, text: texts.turnOffText, confirm: texts.turnOff },
                      ...{ cancel: adminSignInTexts.cancel, dangerous: true },
                    },
                  })}
                  act={async () => {
                    await callAdmin('setSharedPassword', { body: { on: !isOn } });
                    return { title: texts.heading, text: isOn ? texts.turnedOff : texts.turnedOn };
                  }}
                />
              </div>
            )}
          </>
        )}
      </Loaded>
    </AdminSection>
  );
}
