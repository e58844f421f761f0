// Chicken Poker: plays the middle card of its hand. Started once; asked in lines of JSON.
import java.util.Scanner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

public class Middle {
    static final Pattern QUESTION = Pattern.compile(
        "\"type\":\\s*\"decide\",\\s*\"id\":\\s*(\\d+).*\"own\":\\s*(\\d+).*\"hands\":\\s*\\[\\[(.*?)\\]\\]");

    static int card(int own, String[] hands) {
        String[] cards = hands[own - 1].split(",\\s*"); // ascending, and never none for who is asked
        return Integer.parseInt(cards[cards.length / 2]);
    }

    public static void main(String[] arguments) {
        Scanner lines = new Scanner(System.in);
        while (lines.hasNextLine()) {
            Matcher asked = QUESTION.matcher(lines.nextLine());
            if (asked.find()) { // the first line only says hello
                int own = Integer.parseInt(asked.group(2));
                int card = card(own, asked.group(3).split("\\],\\s*\\["));
                System.out.println("{\"id\": " + asked.group(1) + ", \"answer\": " + card + "}");
            }
        }
    }
}
