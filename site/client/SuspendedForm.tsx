import { suspendedFormTexts as texts } from '#texts/moderation.ts';

/** In place of a form that suspended members can’t use. */
export function SuspendedForm() {
  return (
    <p className="notice">
      <span>
        {texts.text} <a href={texts.path}>{texts.why}</a>
      </span>
    </p>
  );
}
