import { configure } from '@testing-library/react';

// Instead of a second: no test is about speed.
configure({ asyncUtilTimeout: 20_000 });
