import { render } from 'preact';
import { App } from './app.tsx';

const element = document.getElementById('console');
if (element) render(<App />, element);
