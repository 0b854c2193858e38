import { createRoot } from 'react-dom/client';
import { Toaster } from './Toaster.tsx';

// The place that every page has for it (layouts/PageLayout.astro).
const place = document.getElementById('toaster');
if (place !== null) createRoot(place).render(<Toaster />);
