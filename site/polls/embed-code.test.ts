import { expect, test } from 'vitest';
import { embedCode } from './embed-code.ts';

test('the code to embed names the page for frames, and no question can break out of it', () => {
  const code = embedCode('https://polls.example/poll/night-train', 'Train "or"\n<plane> & more?');
  expect(code).toBe(
    '<iframe src="https://polls.example/embed/poll/night-train" title="Poll: Train &quot;or&quot; &lt;plane&gt; &amp; more?" width="100%" height="420" style="border:0;max-width:36rem" loading="lazy"></iframe>',
  );
});
