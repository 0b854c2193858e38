import { showRelativeTimes } from './show-relative-times.ts';

showRelativeTimes(document, 'time[data-relative]');
