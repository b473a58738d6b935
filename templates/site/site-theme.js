/* Light or dark, before the first paint: the reader's choice, else the system's. */
"use strict";
(function () {
	var themes = { auto: "screen and (prefers-color-scheme: dark)", light: "not all", dark: "screen" };
	var names = Object.keys(themes), theme = "auto";
	try {
		theme = localStorage.getItem("rooflog-theme");
	} catch (error) {
		/* A page from a disk may have no storage: then each page begins anew. */
	}
	theme = names.indexOf(theme) < 0 ? "auto" : theme;

	function apply() {
		document.getElementById("dark").media = themes[theme];
		document.documentElement.dataset.theme = theme;
	}

	function show(button) {
		button.hidden = false;
		button.textContent = { auto: "◐", light: "○", dark: "●" }[theme];
		button.setAttribute("aria-label", "Colors: " + theme);
		button.title = "Colors: " + theme;
	}

	apply();
	document.addEventListener("DOMContentLoaded", function () {
		var button = document.getElementById("theme");
		if (!button)
			return;
		show(button);
		button.addEventListener("click", function () {
			theme = names[(names.indexOf(theme) + 1) % names.length];
			apply();
			show(button);
			try {
				localStorage.setItem("rooflog-theme", theme);
			} catch (error) {
				/* Then for this page. */
			}
		});
	});
})();
