// Bank Heist: stakes one credit, and goes in with the others.
use std::io::BufRead;

fn main() {
    if std::env::args().len() > 1 {
        println!("1");
        return;
    }
    let mark = "\"type\": \"decide\", \"id\": ";
    for line in std::io::stdin().lock().lines() {
        let line = line.expect("a line of text");
        if let Some(place) = line.find(mark) {
            let rest = &line[place + mark.len()..];
            let id: String = rest.chars().take_while(char::is_ascii_digit).collect();
            println!("{{\"id\": {id}, \"answer\": 1}}");
        }
    }
}
