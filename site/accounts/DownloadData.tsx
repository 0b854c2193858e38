import { useMutation } from '@tanstack/react-query';
import { callApi } from '#site/client/api.ts';
import { failureSentence } from '#site/client/failure-text.ts';
import { queryClient } from '#site/client/query-client.ts';
import { toast } from '#site/ui/toasts.ts';
import { Vane } from '#site/ui/Vane.tsx';
import { accountFailureTexts, accountPageTexts, accountToasts, exportFileName } from '#texts/accounts.ts';

const texts = accountPageTexts.data;

/** Hands the browser a file to keep. */
function save(content: string, name: string): void {
  const address = URL.createObjectURL(new Blob([content], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}

/** Everything that is kept about the member, as a file. */
export function DownloadData() {
  const { mutate, isPending } = useMutation(
    {
      mutationFn: () => callApi('exportUser'),
      onSuccess: (data) => {
        save(`${JSON.stringify(data, null, 2)}\n`, exportFileName);
        toast(accountToasts.downloaded);
      },
      onError: (error) =>
        toast({
          title: accountToasts.downloadFailed,
          text: failureSentence(error, accountFailureTexts.unknown),
          destructive: true,
        }),
    },
    queryClient(),
  );
  return (
    <>
      <button type="button" className="button" aria-disabled={isPending} onClick={() => !isPending && mutate()}>
        {isPending && <Vane busy />}
        {isPending ? texts.downloading : texts.download}
      </button>
      <p className="visually-hidden" role="status">
        {isPending && texts.downloading}
      </p>
    </>
  );
}
