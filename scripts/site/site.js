/* The site's only script: search over the index in search-index.js, and buttons that copy commands. It is ES5, so that old browsers and
 * the test's engine run it. Pages need nothing of it but the search. */
var softgt_search = (function () {
    "use strict";
    var KINDS = ["command", "register", "structure", "instruction", "message", "page", "manual", "context image", "device", "term", "item", "option", "field", "value"];
    /* What of two equally good names comes first. */
    var WEIGHT = [9, 8, 8, 7, 6, 8, 9, 6, 7, 6, 6, 5, 2, 0];

    function normal(text) {
        return text.toLowerCase().replace(/[_\-\s.\[\]()]+/g, " ").replace(/^ | $/g, "");
    }

    /* 0x229c for 0x0229c, 229ch and 229c; else "". */
    function number(text) {
        var match = /^(?:0x0*([0-9a-f]+)|0*([0-9a-f]+)h|0*([0-9a-f]*[0-9][0-9a-f]*))$/.exec(text.toLowerCase().replace(/_/g, ""));
        return match ? "0x" + (match[1] || match[2] || match[3]) : "";
    }

    function score(entry, query, words, hex, raw) {
        var name = entry.normal, at = name.indexOf(query), points = 0, i, all = true;
        if (name === query)
            points = entry[0].toLowerCase() === raw ? 1050 : 1000;
        else if (hex && (" " + entry[4] + " ").indexOf(" " + hex + " ") >= 0)
            points = 900;
        else if (at === 0)
            points = 700;
        else if (at > 0 && name.charAt(at - 1) === " ")
            points = 500;
        else if (at > 0)
            points = 300;
        else {
            for (i = 0; i < words.length; i++)
                if (name.indexOf(words[i]) < 0)
                    all = false;
            if (all)
                points = 250;
            else {
                for (all = true, i = 0; i < words.length; i++)
                    if (entry.text.indexOf(" " + words[i]) < 0)
                        all = false;
                if (all)
                    points = entry.text.indexOf(query) >= 0 ? 120 : 60;
            }
        }
        if (WEIGHT[entry[1]] < 6)  /* A part of a thing comes after the thing. */
            points *= raw.charAt(0) === "-" && KINDS[entry[1]] === "option" ? 2 : 0.5;
        return points ? points + 10 * WEIGHT[entry[1]] - Math.min(name.length, 60) / 2 : 0;
    }

    /* The best entries for a query, as {name, kind, link, say}. An entry of the index is [name, kind, link, sentence, other words]. */
    function search(index, query, most) {
        var hex = number(query), raw = query.toLowerCase(), found = [], i, entry, points;
        query = normal(query);
        if (!query)
            return [];
        var words = query.split(" ");
        for (i = 0; i < index.length; i++) {
            entry = index[i];
            if (entry.normal === undefined) {
                entry.normal = normal(entry[0]);
                entry.text = " " + normal(entry[0] + " " + entry[3] + " " + entry[4]);
            }
            points = score(entry, query, words, hex, raw);
            if (points > 0)
                found.push([points, i]);
        }
        found.sort(function (a, b) { return b[0] - a[0] || a[1] - b[1]; });
        return found.slice(0, most || 20).map(function (item) {
            var e = index[item[1]];
            return {name: e[0], kind: KINDS[e[1]], link: e[2], say: e[3]};
        });
    }
    return search;
})();

if (typeof document !== "undefined") (function () {
    "use strict";
    var root = document.body.getAttribute("data-root"), input = document.getElementById("search"), page = document.getElementById("all-results");
    var list, chosen = -1, waiting = null;

    /* The index is read when somebody searches; a script, because pages of a folder may not read files. */
    function with_index(then) {
        if (window.softgt_index)
            return then();
        waiting = then;
        if (document.getElementById("index-script"))
            return;
        var script = document.createElement("script");
        script.id = "index-script";
        script.src = root + "search-index.js";
        script.onload = function () { if (waiting) waiting(); };
        document.head.appendChild(script);
    }

    function element(name, parent, text, kind) {
        var made = document.createElement(name);
        if (text)
            made.textContent = text;
        if (kind)
            made.className = kind;
        parent.appendChild(made);
        return made;
    }

    function show(target, results, query) {
        target.textContent = "";
        results.forEach(function (result, i) {
            var item = element("li", target), link = element("a", item);
            link.href = root + result.link;
            if (target === list) {
                item.id = "result-" + i;
                item.setAttribute("role", "option");
                link.tabIndex = -1;
            }
            element("span", link, result.kind, "kind");
            element("b", link, result.name);
            element("span", link, result.say, "say");
        });
        if (!results.length)
            element("li", target, "Nothing has \u201c" + query + "\u201d.", "none");
    }

    function choose(to) {
        var items = list.querySelectorAll("[role=option]");
        if (!items.length)
            return;
        if (items[chosen])
            items[chosen].setAttribute("aria-selected", "false");
        chosen = (to + items.length) % items.length;
        items[chosen].setAttribute("aria-selected", "true");
        items[chosen].scrollIntoView({block: "nearest"});
        input.setAttribute("aria-activedescendant", items[chosen].id);
    }

    function close() {
        list.hidden = true;
        chosen = -1;
        input.setAttribute("aria-expanded", "false");
        input.removeAttribute("aria-activedescendant");
    }

    function update() {
        var query = input.value;
        if (!query.replace(/\s/g, ""))
            return close();
        with_index(function () {
            show(list, softgt_search(window.softgt_index, input.value, 12), input.value);
            list.hidden = false;
            chosen = -1;
            input.setAttribute("aria-expanded", "true");
        });
    }

    list = element("ul", input.parentNode, "", "results");
    list.id = "results";
    list.hidden = true;
    list.setAttribute("role", "listbox");
    list.setAttribute("aria-label", "Results");
    input.setAttribute("role", "combobox");
    input.setAttribute("aria-controls", "results");
    input.setAttribute("aria-expanded", "false");
    input.setAttribute("aria-autocomplete", "list");
    input.addEventListener("input", update);
    input.addEventListener("focus", function () { with_index(function () {}); if (input.value) update(); });
    input.addEventListener("keydown", function (event) {
        if (event.key === "Escape") {
            close();
        } else if (!list.hidden && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
            event.preventDefault();
            choose(event.key === "ArrowDown" ? chosen + 1 : chosen < 0 ? -1 : chosen - 1);
        } else if (!list.hidden && event.key === "Enter" && chosen >= 0) {
            event.preventDefault();
            location.href = list.querySelectorAll("a")[chosen].href;
        }
    });
    document.addEventListener("click", function (event) {
        if (!input.parentNode.contains(event.target))
            close();
    });
    document.addEventListener("keydown", function (event) {
        var in_text = /^(input|textarea|select)$/i.test(event.target.tagName);
        if (event.key === "/" && !in_text && !event.ctrlKey && !event.metaKey && !event.altKey) {
            event.preventDefault();
            input.focus();
            input.select();
        }
    });

    /* The page of results: search.html?q=... */
    if (page) {
        var asked = new URLSearchParams(location.search).get("q") || "";
        input.value = asked;
        if (asked)
            with_index(function () { show(page, softgt_search(window.softgt_index, asked, 100), asked); });
    }

    /* A generation that is chosen on one page of the reference stays chosen on the next. */
    var choices = document.querySelectorAll("input[name=generation]");
    function remember(value) {
        try {
            if (value)
                localStorage.setItem("softgt-generation", value);
            return localStorage.getItem("softgt-generation");
        } catch (refused) {
            return null;
        }
    }
    /* What a link leads to is shown, whatever is chosen. */
    function show_target() {
        var target = document.getElementById(location.hash.slice(1));
        if (choices.length && target && !target.getClientRects().length) {
            choices[0].checked = true;
            target.scrollIntoView();
        }
    }
    var remembered = choices.length && document.getElementById(remember());
    if (remembered)
        remembered.checked = true;
    show_target();
    window.addEventListener("hashchange", show_target);
    Array.prototype.forEach.call(choices, function (choice) {
        choice.addEventListener("change", function () { remember(choice.id); });
    });

    if (navigator.clipboard)
        Array.prototype.forEach.call(document.querySelectorAll("article pre:not(.output)"), function (block) {
            var button = element("button", block, "copy", "copy");
            button.type = "button";
            button.addEventListener("click", function () {
                navigator.clipboard.writeText(block.querySelector("code") ? block.querySelector("code").textContent : block.firstChild.textContent);
                button.textContent = "copied";
            });
        });
})();
