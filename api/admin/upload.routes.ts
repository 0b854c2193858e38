import { Readable } from 'node:stream';
import type { Writable } from 'node:stream';
import type { Context } from 'koa';
import { koaBody } from 'koa-body';
import { uploadOptionsSchema } from './admin.contract.ts';
import { importSettingsSchema } from '#api/polls/import/import-settings.contract.ts';
import type { ImportSettings } from '#api/polls/import/import-settings.contract.ts';
import * as limits from '#contract/limits.ts';
import type { ImportMode, ImportResult } from '#api/polls/import/poll-import.contract.ts';
import { adminPasswordHeader } from '#contract/vocabulary.ts';
import { isTimeZone } from '#contract/schedule.ts';
import { whileClientSends } from '#platform/client-left.ts';
import { errors, HttpError } from '#platform/errors.ts';
import { clientAddress } from '#platform/middleware.ts';
import type { MountGuarded } from '#platform/operator.ts';
import { compileSchema } from '#platform/validation.ts';
import { adminApiTexts as texts } from '#texts/admin-api.ts';
import { fieldErrors } from '#texts/field-errors.ts';
import { importFileTexts } from '#texts/poll-import.ts';
import type { AdminAuth } from './admin-auth.service.ts';
import type { AuthorizeRequest } from './operator-auth.routes.ts';
import { sharedActor } from './operation.service.ts';
import type { OperationContext } from './operation.service.ts';
import {
  fetchedFile,
  importUpload,
  previewUpload,
  rejectedUpload,
  UploadedFile,
  uploadsFolder,
} from './upload.service.ts';
import type { Upload } from './upload.service.ts';

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

const checkOptions = compileSchema<UploadOptions>(uploadOptionsSchema, 'text');
const checkSettings = compileSchema<ImportSettings>(importSettingsSchema, 'json');

interface UploadOptions {
  readonly mode: ImportMode;
  readonly dryRun: boolean;
  readonly settings?: string;
}

/**
 * Receives a file of polls. Operators, API tokens, and the shared password in its header are checked before the body is
 * read. The password may also be in the form as in the specification: then only a few unauthenticated uploads are received
 * at once (handbook decision 020).
 */
export function uploadHandler(
  context: OperationContext & { readonly auth: AdminAuth; readonly authorize: AuthorizeRequest },
) {
  const { auth, authorize } = context;
  let unauthorized = 0;

  const receive = async (ctx: Context, query: object): Promise<ImportResult> => {
    const address = clientAddress(ctx);
    const operator = await authorize(ctx, { admin: 'editor', scope: 'import' }).catch((error: unknown) => {
      // Without other credentials, the password may be in the form.
      if (ctx.get(adminPasswordHeader) !== '' || (error as Partial<HttpError>).code !== 'ADMIN_REQUIRED') throw error;
      return null;
    });
    const isAuthorized = operator !== null;
    if (!isAuthorized) await auth.refuseLimited(address);
    checkRequest(ctx);
    if (!isAuthorized && unauthorized >= uploadsUnproven) throw errors.uploadsBusy(texts.uploadsBusy);

    if (!isAuthorized) unauthorized += 1;
    try {
      const upload = await receiveUpload(context, ctx, query, (password) =>
        isAuthorized ? undefined : auth.authorize(password, address),
      );
      return await importUpload(context, upload, operator?.name ?? sharedActor).finally(() => upload.file.close());
    } finally {
      if (!isAuthorized) unauthorized -= 1;
    }
  };

  return ({ ctx, query }: { ctx: Context; query: object }) => drainingErrors(ctx, () => receive(ctx, query));
}

/** The endpoints that look at a file before it is imported, and fetch a published one. */
export function mountUploads(guarded: MountGuarded, context: OperationContext): void {
  const receive = (ctx: Context, query: object) =>
    drainingErrors(ctx, async () => {
      checkRequest(ctx);
      return receiveUpload(context, ctx, query);
    });
  guarded('importPreview', async ({ ctx, query }) => {
    const upload = await receive(ctx, query);
    return previewUpload(context, upload).finally(() => upload.file.close());
  });
  guarded('rejectedRows', async ({ ctx, query }) => {
    const upload = await receive(ctx, query);
    try {
      const chunks = await rejectedUpload(context, upload);
      ctx.body = closingAtEnd(upload.file, chunks);
    } catch (error) {
      await upload.file.close();
      throw error;
    }
    ctx.type = 'text/csv; charset=utf-8';
    ctx.set('content-disposition', 'attachment; filename="rejected-rows.csv"');
    return undefined;
  });
  guarded('fetchSpreadsheet', async ({ body, ctx }) => {
    const file = await fetchedFile(context, body.url);
    ctx.type = 'application/octet-stream';
    ctx.body = closingAtEnd(file, file.read());
    return undefined;
  });
}

/** A stream of what is read of a file, which is closed with it, even if nothing was read. */
export function closingAtEnd(file: Pick<UploadedFile, 'close'>, chunks: AsyncIterable<string | Uint8Array>): Readable {
  return Readable.from(chunks, { objectMode: false }).once('close', () => void file.close());
}

/** Refuses a request without a form, or whose form is too large. */
function checkRequest(ctx: Context): void {
  if (!ctx.is('multipart/form-data')) throw errors.notAnUpload(texts.notAForm);
  if (Number(ctx.get('content-length')) > limits.importBytes + uploadFormBytes) throw tooLarge();
}

/** Receives the form; `authorize` gets its password. The caller closes the file. */
async function receiveUpload(
  { config }: OperationContext,
  ctx: Context,
  query: object,
  authorize?: (password: string | undefined) => Promise<void> | undefined,
): Promise<Upload> {
  const file = await UploadedFile.create(uploadsFolder(config.dataDir));
  try {
    const form = await readForm(ctx, file).catch((error: unknown) => {
      throw asFormError(error);
    });
    await authorize?.(form.password);
    if (form.fileName === null) throw errors.badRequest(texts.noFile);
    const options = { ...query, ...form.options };
    if (!checkOptions(options)) throw errors.validationFailed(fieldErrors(checkOptions.errors));
    const { mode, dryRun, settings } = options;
    return {
      ...{ file, fileName: form.fileName, mode, dryRun },
      ...(settings !== undefined && { settings: parseSettings(settings) }),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

function parseSettings(text: string): ImportSettings {
  let settings: unknown;
  try {
    settings = JSON.parse(text);
  } catch {
    throw errors.invalidJson();
  }
  if (!checkSettings(settings)) throw errors.validationFailed(fieldErrors(checkSettings.errors));
  if (!isTimeZone(settings.timeZone)) throw errors.badRequest(texts.noTimeZone(settings.timeZone));
  return settings;
}

/** Runs a handler; if it throws, the rest of the body is discarded first. */
async function drainingErrors<T>(ctx: Context, handle: () => Promise<T>): Promise<T> {
  try {
    return await handle();
  } catch (error) {
    await drainRequest(ctx);
    throw error;
  }
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
    await whileClientSends(ctx.req, () => parse(ctx, () => Promise.resolve()) as Promise<unknown>);
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
