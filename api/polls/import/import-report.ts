import type { ImportError, ImportMode, ImportResult, ImportWarning } from './poll-import.contract.ts';
import { importMessages } from '#texts/poll-import.ts';
import { ErrorGroups, importProblemsListed, ProblemList } from './import-problem.ts';
import type { FileRefused } from './import-problem.ts';
import type { Plan } from './poll-plan.ts';

/** The result of a batch of rows. */
export interface BatchResult {
  readonly inserted: number;
  readonly updated: number;
  readonly unchanged: number;
  /** One per row that conflicts with the database. */
  readonly errors: readonly ImportError[];
}

export function outcomeOf(plans: readonly Plan[]): BatchResult {
  const count = (kind: Plan['kind']) => plans.filter((plan) => plan.kind === kind).length;
  return {
    inserted: count('insert'),
    updated: count('update'),
    unchanged: count('unchanged'),
    errors: plans.flatMap((plan) => (plan.kind === 'reject' ? [plan.error] : [])),
  };
}

/** Collects the counts and problems of an import. */
export class ImportReport {
  readonly warnings = new ProblemList<ImportWarning>();
  readonly #errors = new ProblemList<ImportError>();
  readonly #groups = new ErrorGroups();
  readonly #onRejected: ((errors: readonly ImportError[]) => void) | undefined;
  #inserted = 0;
  #updated = 0;
  #unchanged = 0;
  #rejected = 0;

  constructor(onRejected?: (errors: readonly ImportError[]) => void) {
    this.#onRejected = onRejected;
  }

  get changed(): number {
    return this.#inserted + this.#updated;
  }

  get rejected(): number {
    return this.#rejected;
  }

  reject(errors: readonly ImportError[]): void {
    this.#rejected += 1;
    for (const error of errors) {
      this.#errors.add(error);
      this.#groups.add(error);
    }
    this.#onRejected?.(errors);
  }

  count(outcome: BatchResult): void {
    this.#inserted += outcome.inserted;
    this.#updated += outcome.updated;
    this.#unchanged += outcome.unchanged;
    for (const error of outcome.errors) this.reject([error]);
  }

  /** All-or-nothing import with an error: nothing was imported. */
  undo(): void {
    this.#inserted = 0;
    this.#updated = 0;
    this.#unchanged = 0;
  }

  result({ dryRun, mode }: { dryRun: boolean; mode: ImportMode }): ImportResult {
    return {
      message: this.#message(dryRun, mode),
      imported: this.changed,
      inserted: this.#inserted,
      updated: this.#updated,
      unchanged: this.#unchanged,
      rejected: this.#rejected,
      errors: this.#errors.inFileOrder(),
      groups: this.#groups.mostFrequentFirst(),
      warnings: this.warnings.inFileOrder(),
    };
  }

  #message(dryRun: boolean, mode: ImportMode): string {
    const listed = this.#errors.count > importProblemsListed ? [importMessages.listed(importProblemsListed)] : [];
    if (this.#rejected > 0 && mode === 'all-or-nothing')
      return [importMessages.allOrNothing(this.#rejected), ...listed].join(' ');
    if (this.#rejected > 0 && this.changed + this.#unchanged === 0)
      return [importMessages.nothingAccepted(this.#rejected), ...listed].join(' ');
    const what = dryRun ? importMessages.wouldDo : importMessages.done;
    const rejected = this.#rejected > 0 ? [importMessages.rejected(this.#rejected)] : [];
    return [what(this.#inserted, this.#updated, this.#unchanged), ...rejected, ...listed].join(' ');
  }
}

/** The result for a refused file. */
export function refusal({ message, errors }: FileRefused): ImportResult {
  const more = errors.length - 1;
  return {
    message: more > 0 ? importMessages.refusedWithMore(message, more) : importMessages.refused(message),
    ...{ imported: 0, inserted: 0, updated: 0, unchanged: 0, rejected: 0 },
    errors: [...errors],
    groups: [],
    warnings: [],
  };
}
