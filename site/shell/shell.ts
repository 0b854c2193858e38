import './navigation.ts';
import './theme-switch.ts';
import './tooltips.ts';
