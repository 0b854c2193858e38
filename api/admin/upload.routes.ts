import type { Writable } from 'node:stream';
import type { Context } from 'koa';
import { koaBody } from 'koa-body';
import { uploadOptionsSchema } from '#contract/admin.ts';
import * as limits from '#contract/limits.ts';
import type { ImportMode, ImportResult } from '#contract/poll-import.ts';
import { adminPasswordHeader } from '#contract/vocabulary.ts';
import { errors, HttpError } from '#platform/errors.ts';
import { clientAddress } from '#platform/middleware.ts';
import { compileSchema } from '#platform/validation.ts';
import { adminApiTexts as texts } from '#texts/admin-api.ts';
import { fieldErrors } from '#texts/field-errors.ts';
import { importFileTexts } from '#texts/poll-import.ts';
import type { AdminAuth } from './admin-auth.service.ts';
import type { AuthorizeRequest } from './desk-auth.routes.ts';
import type { OperationContext } from './operation.service.ts';
import { importUpload, UploadedFile, uploadsFolder } from './upload.service.ts';

/** Bytes of an upload's form besides its file: fields, and headers of its parts. */
const uploadFormBytes = 16_000;
/** Concurrent uploads whose password is a form field, so that it is known only after the file. */
const uploadsUnproven = 2;

/** The form without the bytes of its file. */
interface Form {
  readonly password: string | undefined;
  /** Null: no file. */
  readonly fileName: string | null;
  /** All other fields: import options. */
  readonly options: Readonly<Record<string, unknown>>;
}

const checkOptions = compileSchema<{ mode: ImportMode; dryRun: boolean }>(uploadOptionsSchema, 'text');

/**
 * Receives a file of polls. Operators, API tokens, and the shared password in its header are checked before the body is
 * read. The password may also be in the form as in the specification: then only a few unauthenticated uploads are received
 * at once (handbook decision 021).
 */
export function uploadHandler(
  context: OperationContext & { readonly auth: AdminAuth; readonly authorize: AuthorizeRequest },
) {
  const { auth, authorize, config } = context;
  let unauthorized = 0;

  const receive = async (ctx: Context, query: object): Promise<ImportResult> => {
    const address = clientAddress(ctx);
    const isAuthorized = await authorize(ctx, { admin: 'editor', scope: 'import' }).then(
      () => true,
      (error: unknown) => {
        // Without another way of calling the desk, the password may be in the form.
        if (ctx.get(adminPasswordHeader) !== '' || (error as Partial<HttpError>).code !== 'ADMIN_REQUIRED') throw error;
        return false;
      },
    );
    if (!isAuthorized) await auth.refuseLimited(address);
    if (!ctx.is('multipart/form-data')) throw errors.notAnUpload(texts.notAForm);
    if (Number(ctx.get('content-length')) > limits.importBytes + uploadFormBytes) throw tooLarge();
    if (!isAuthorized && unauthorized >= uploadsUnproven) throw errors.uploadsBusy(texts.uploadsBusy);

    if (!isAuthorized) unauthorized += 1;
    const file = await UploadedFile.create(uploadsFolder(config.dataDir));
    try {
      const form = await readForm(ctx, file).catch((error: unknown) => {
        throw asFormError(error);
      });
      if (!isAuthorized) await auth.authorize(form.password, address);
      if (form.fileName === null) throw errors.badRequest(texts.noFile);
      const options = { ...query, ...form.options };
      if (!checkOptions(options)) throw errors.validationFailed(fieldErrors(checkOptions.errors));
      return await importUpload(context, { file, fileName: form.fileName, ...options });
    } finally {
      if (!isAuthorized) unauthorized -= 1;
      await file.close();
    }
  };

  return async ({ ctx, query }: { ctx: Context; query: object }): Promise<ImportResult> => {
    try {
      return await receive(ctx, query);
    } catch (error) {
      await drainRequest(ctx);
      throw error;
    }
  };
}

const tooLarge = () => errors.fileTooLarge(importFileTexts.file_too_large(limits.importBytes));

/**
 * Discards the rest of a refused body, because clients read no response while they send. Cuts off a body that is far too
 * large or takes too long.
 */
async function drainRequest(ctx: Context): Promise<void> {
  const { req } = ctx;
  const maxBytes = 4 * limits.importBytes;
  if (!req.complete && !req.destroyed && !(Number(ctx.get('content-length')) > maxBytes))
    await new Promise<void>((done) => {
      let bytes = 0;
      const timer = setTimeout(done, limits.forwardTimeoutMs / 2);
      const end = () => {
        clearTimeout(timer);
        done();
      };
      req.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > maxBytes) end();
      });
      for (const event of ['end', 'close', 'error'] as const) req.once(event, end);
      req.resume();
    });
  if (!req.complete) ctx.set('connection', 'close');
}

async function readForm(ctx: Context, file: UploadedFile): Promise<Form> {
  let fileName: string | null = null;
  let writing: Writable | undefined;
  const parse = koaBody({
    multipart: true,
    json: false,
    urlencoded: false,
    text: false,
    formidable: {
      maxFiles: 1,
      maxFileSize: limits.importBytes,
      maxFieldsSize: uploadFormBytes,
      maxFields: 10,
      // The import refuses an empty file with a reason.
      allowEmptyFiles: true,
      minFileSize: 0,
      filter: ({ name }) => name === 'csvFile',
      fileWriteStreamHandler: () => (writing = file.write()),
    },
    onError: (error) => {
      throw error;
    },
  });
  try {
    await parse(ctx, () => Promise.resolve());
  } catch (error) {
    writing?.destroy();
    throw error;
  }
  const { body, files } = ctx.request as unknown as {
    body: Record<string, unknown>;
    files?: Record<string, { originalFilename: string | null } | undefined>;
  };
  if (files?.csvFile) fileName = files.csvFile.originalFilename ?? '';
  const { password, ...options } = body;
  return { password: typeof password === 'string' ? password : undefined, fileName, options };
}

/** The client error for a form that can't be parsed; other errors are returned unchanged. */
function asFormError(error: unknown): unknown {
  const { httpCode, code } = error as { httpCode?: number; code?: number };
  if (error instanceof HttpError || httpCode === undefined) return error;
  if (code === tooManyFiles) return errors.badRequest(texts.oneFile);
  if (httpCode === 413) return tooLarge();
  return errors.badRequest(texts.brokenForm);
}

/** The form parser’s error code for a second file. */
const tooManyFiles = 1015;
