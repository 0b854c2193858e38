import { expect, test } from 'vitest';
import { receiptStatusTexts as texts } from '#texts/verification.ts';
import { statusInFile } from './receipt-status.ts';

const paper = {
  options: [
    { id: 'o1', label: 'Tea' },
    { id: 'o2', label: 'Coffee' },
    { id: 'write-in-1', label: 'Written answer 1' },
  ],
};
const found = (option: number) => ({ status: 'counted' as const, options: [option], reason: null });

test('a counted vote is named as the paper names its option, and a written answer as its voter knows it', () => {
  expect(statusInFile(found(1), { optionId: 'o2', option: 'Coffee!' }, paper).text).toBe(texts.counted('Coffee'));
  const written = { optionId: 'write-in-1', option: 'Cocoa' };
  expect(statusInFile(found(2), written, paper)).toEqual({ text: texts.countedWritten('Cocoa'), isProblem: false });
  expect(statusInFile(found(1), written, paper)).toEqual({ text: texts.otherOption('Coffee'), isProblem: true });
});
