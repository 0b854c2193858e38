import { createRoot } from 'react-dom/client';
import { Toaster } from './Toaster.tsx';

// Every page has this element (layouts/PageLayout.astro).
const root = document.getElementById('toaster');
if (root !== null) createRoot(root).render(<Toaster />);
