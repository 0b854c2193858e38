import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import type { User } from '#api/members/accounts/accounts.contract.ts';
import * as limits from '#contract/limits.ts';
import { ApiError, callApi } from '#site/client/api.ts';
import { userChanged } from '#site/client/auth.tsx';
import { failureSentence } from '#site/client/failure-text.ts';
import { queryClient } from '#site/client/query-client.ts';
import { toast } from '#site/ui/toasts.ts';
import { Vane } from '#site/ui/Vane.tsx';
import { pictureTexts as texts } from '#texts/pictures.ts';
import styles from './AccountPage.module.css';

/** Uploads, replaces, and removes the member’s picture, each at once. */
export function PictureField({ user }: { readonly user: User }) {
  const input = useRef<HTMLInputElement>(null);
  const choose = useRef<HTMLButtonElement>(null);
  const { mutate, isPending, error } = useMutation<User, Error, File | null>(
    {
      mutationFn: async (file) => {
        if (file === null) return callApi('updateUser', { body: { profileImageUrl: null } });
        // A server that refuses a file while it is being sent may not be heard.
        if (file.size > limits.pictureBytes)
          throw new ApiError(413, texts.tooManyBytes, { code: 'PAYLOAD_TOO_LARGE', message: texts.tooManyBytes });
        return callApi('uploadPicture', { file });
      },
      onSuccess: (changed, file) => {
        userChanged(changed);
        toast(file === null ? texts.removed : texts.uploaded);
        // The button that removed the picture is gone.
        if (file === null) choose.current?.focus();
      },
    },
    queryClient(),
  );
  return (
    <div className={styles.picture}>
      <input
        ref={input}
        type="file"
        hidden
        accept="image/jpeg,image/png,image/webp,image/gif"
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file) mutate(file);
          // The same file can be chosen again.
          target.value = '';
        }}
      />
      <div className="row">
        <button
          ref={choose}
          type="button"
          className="button button--small"
          aria-disabled={isPending}
          onClick={() => isPending || input.current?.click()}
        >
          {isPending && <Vane busy />}
          {user.profileImageUrl === null ? texts.upload : texts.replace}
        </button>
        {user.profileImageUrl !== null && (
          <button
            type="button"
            className="button button--small"
            aria-disabled={isPending}
            onClick={() => isPending || mutate(null)}
          >
            {texts.remove}
          </button>
        )}
      </div>
      <p className="visually-hidden" role="status">
        {isPending && texts.uploading}
      </p>
      {error !== null && (
        <p className="refusal" role="alert">
          {failureSentence(error, texts.failed)}
        </p>
      )}
      <p className="muted small">{texts.hint}</p>
    </div>
  );
}
